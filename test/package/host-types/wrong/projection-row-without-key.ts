// The message names 'key'.
import { completed, createUserTag, projection } from 'countersign'

export const names = projection({
  name: 'names',
  version: 1,
  on: [
    completed(createUserTag, ({ userTagName }, { organization, sequence: order }) => [
      { _tag: 'put', organization, order, facets: {}, value: userTagName },
    ]),
  ],
})
