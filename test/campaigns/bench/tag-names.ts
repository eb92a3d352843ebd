/** A host's list for the bench: the tags of an organization by their names, in rows that a projection writes. */
import { completed } from 'countersign/define'
import { createUserTag, updateUserTag } from 'countersign/api'
import { projection, query, resource, t } from 'countersign'

const tagNamesRows = projection({
  name: 'bench-tag-names',
  version: 1,
  row: t.string,
  on: [
    completed(createUserTag, ({ userTagId, userTagName: name }, { organization, sequence }) => [
      { _tag: 'put', organization, key: userTagId, order: sequence, facets: {}, value: name },
    ]),
    completed(updateUserTag, ({ userTagId, userTagName: name }, { organization, sequence }) =>
      name === undefined
        ? []
        : [{ _tag: 'put', organization, key: userTagId, order: sequence, facets: {}, value: name }],
    ),
  ],
})

const listTagNames = query({
  path: 'list_tag_names',
  summary: 'Lists the names of the tags.',
  request: t.fields({ organizationId: t.Uuid }),
  answer: t.fields({ names: t.array(t.string) }),
  run: async (_, { rows }) => ({ names: await rows(tagNamesRows, { limit: 100 }) }),
})

export const tagNames = resource({ name: 'bench-tag-names', projections: [tagNamesRows], queries: [listTagNames] })
