import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { state, type DeepReadonly } from './state.ts'

const Quorum = fields({ threshold: t.number, userIds: t.array(t.string) })
export type Quorum = DeepReadonly<t.TypeOf<typeof Quorum>>

/** The root quorum: if `threshold` of these users approve, any activity is allowed. */
export const quorum = state({
  name: 'root-quorum',
  version: 1,
  codec: Quorum,
  initial: () => ({ threshold: 1, userIds: [] }),
})
