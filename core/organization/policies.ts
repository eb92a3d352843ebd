import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { state, type DeepReadonly } from './state.ts'

const Effect = t.keyof({ EFFECT_ALLOW: null, EFFECT_DENY: null })
export type Effect = t.TypeOf<typeof Effect>

const Policy = fields({
  policyId: t.string,
  policyName: t.string,
  effect: Effect,
  /** Empty means: always true. */
  condition: t.string,
  /** Empty means: always true. */
  consensus: t.string,
  /** Empty means: always true. */
  time: t.string,
  notes: t.string,
  createdAtMs: t.number,
  updatedAtMs: t.number,
})
export type Policy = DeepReadonly<t.TypeOf<typeof Policy>>

/** The policies, by id, in order of creation. */
export const policies = state({ name: 'policies', version: 1, codec: mapOf(Policy), initial: () => new Map() })
