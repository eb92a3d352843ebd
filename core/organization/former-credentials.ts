import * as t from 'io-ts'
import { mapOf } from '../codec/map-of.ts'
import { state } from './state.ts'

/**
 * Whose credentials were that are gone, by kind and name. The log still shows what was signed with such a credential, and no other user may
 * speak by the same name. Keys that expire are not among them: there is one for each session, and a state cannot remember them all.
 */
export const formerCredentials = state({
  name: 'former-credentials',
  version: 1,
  codec: mapOf(t.string),
  initial: () => new Map<string, string>(),
})
