// The message names 'key'.
import { projection } from 'countersign'
import { completed } from 'countersign/define'
import { createUserTag } from 'countersign/api'

export const names = projection({
  name: 'names',
  version: 1,
  on: [
    completed(createUserTag, ({ userTagName }, { organization, sequence: order }) => [
      { _tag: 'put', organization, order, facets: {}, value: userTagName },
    ]),
  ],
})
