/** A host's list for the bench: the tags of an organization by their names, in rows that a projection writes. */
import {
  completed,
  createUserTag,
  fields,
  pipe,
  projection,
  query,
  resource,
  t,
  TE,
  updateUserTag,
  Uuid,
} from 'countersign'

const tagNamesRows = projection({
  name: 'bench-tag-names',
  version: 1,
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
  request: fields({ organizationId: Uuid }),
  answer: fields({ names: t.array(t.string) }),
  run: (_, { rows }) =>
    pipe(
      rows('bench-tag-names', { limit: 100 }),
      TE.map((found) => ({ names: found.map(({ value }) => (typeof value === 'string' ? value : '')) })),
    ),
})

export const tagNames = resource({ name: 'bench-tag-names', projections: [tagNamesRows], queries: [listTagNames] })
