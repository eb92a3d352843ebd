import * as t from 'io-ts'
import { mapOf } from '../codec/map-of.ts'
import { state } from './state.ts'

/**
 * Whose credentials were that are gone, by kind and name. It forgets nobody: the log still shows what was signed with such a credential,
 * and no other user may speak by the same name.
 */
export const formerCredentials = state({
  name: 'former-credentials',
  version: 1,
  codec: mapOf(t.string),
  initial: () => new Map<string, string>(),
})
