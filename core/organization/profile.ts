import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { state } from './state.ts'

/** The name of an organization, when it was created, and whether it has ended. */
export const profile = state({
  name: 'organization',
  version: 1,
  codec: fields({ name: t.string, createdAtMs: t.number }, { hasEnded: t.boolean }),
  initial: (): { name: string; createdAtMs: number; hasEnded?: boolean | undefined } => ({ name: '', createdAtMs: 0 }),
})
