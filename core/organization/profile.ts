import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { state } from './state.ts'

/** The name of an organization, and when it was created. */
export const profile = state({
  name: 'organization',
  version: 1,
  codec: fields({ name: t.string, createdAtMs: t.number }),
  initial: () => ({ name: '', createdAtMs: 0 }),
})
