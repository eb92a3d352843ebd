import { sha256 } from '@noble/hashes/sha2.js'
import * as t from '../../codec/t.ts'
import type { TokenKind } from '../deployment-key/token.ts'

export const SessionClaims = t.fields(
  {
    /** In seconds. */
    exp: t.number,
    public_key: t.string,
    /** The name of the profile; without one, `SESSION_TYPE_READ_WRITE`. */
    session_type: t.string,
    user_id: t.string,
    organization_id: t.string,
  },
  { session_profile_id: t.string, scope: t.string },
)
export type SessionClaims = t.TypeOf<typeof SessionClaims>

/** The type of a session without a profile. */
export const READ_WRITE = 'SESSION_TYPE_READ_WRITE'

/**
 * The token of a session. It tells a client of its session, and lets nobody in: only the key of the session does. The signature is that of a hash of
 * the hash, since the clients sign with a function that hashes what was hashed before.
 */
export const sessionToken: TokenKind<SessionClaims> = {
  purpose: 'session',
  header: '{"alg":"ES256","typ":"JWT"}',
  claims: SessionClaims,
  signedBytes: sha256,
}
