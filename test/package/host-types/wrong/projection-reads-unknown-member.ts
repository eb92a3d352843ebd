// The message names 'tagName'.
import { projection } from 'countersign'
import { completed } from 'countersign/define'
import { createUserTag } from 'countersign/api'

export const names = projection({
  name: 'names',
  version: 1,
  on: [
    completed(createUserTag, ({ tagName }, { organization, sequence: order }) => [
      { _tag: 'put', organization, key: tagName, order, facets: {}, value: null },
    ]),
  ],
})
