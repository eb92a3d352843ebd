import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { state } from './state.ts'

/** The engine's own state of an organization, besides the states of the resources. */
export const history = state({
  name: 'history',
  version: 1,
  codec: fields({
    /** When an activity changed the organization for the last time. */
    updatedAtMs: t.number,
    /** How many activities wait for approvals. */
    waiting: t.number,
    /** The types of the activities that are folded into the states, with their newest revisions. */
    operations: mapOf(t.number),
    /** The newest generation of the catalogue that a decision named. */
    generation: t.number,
  }),
  initial: () => ({ updatedAtMs: 0, waiting: 0, operations: new Map(), generation: 0 }),
})
