// The message names 'tagName'.
import { completed, createUserTag, projection } from 'countersign'

export const names = projection({
  name: 'names',
  version: 1,
  on: [
    completed(createUserTag, ({ tagName }, { organization, sequence: order }) => [
      { _tag: 'put', organization, key: tagName, order, facets: {}, value: null },
    ]),
  ],
})
