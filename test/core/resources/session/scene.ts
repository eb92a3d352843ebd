import { generateKey, type SigningKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { claimsIn } from '../../../../core/resources/deployment-key/token.ts'
import { sessionToken, type SessionClaims } from '../../../../core/resources/session/session-token.ts'
import type { Person, Place, Signer } from '../../world/world.ts'

export type ShownKey = {
  readonly apiKeyId: string
  readonly apiKeyName: string
  readonly credential: { readonly publicKey: string; readonly type: string; readonly sessionProfileId?: string }
  readonly expirationSeconds?: string
  readonly createdAt: { readonly seconds: string; readonly nanos: string }
}

export const keysOf = async (place: Place, signer: Signer, userId?: string): Promise<readonly ShownKey[]> =>
  (await place.answer(signer, 'get_api_keys', userId === undefined ? {} : { userId }))['apiKeys'] as readonly ShownKey[] // as the wire says

/** A session of a user: a key, and the claims of its token. */
export type Session = Person & { readonly claims: SessionClaims; readonly token: string }

/** Begins or renews a session. @param signer  whose stamp it is */
export const signIn = async (
  place: Place,
  signer: Signer,
  members: { readonly [member: string]: Json } = {},
  key: SigningKey = generateKey('API_KEY_CURVE_P256'),
): Promise<Session> => {
  const { result } = await place.done(signer, 'stamp_login', { publicKey: key.publicKey, ...members })
  const { session: token } = result['stampLoginResult'] as { readonly session: string } // as the wire says
  const claims = claimsIn(sessionToken, token)
  if (claims === undefined) throw new Error(`no token: ${token}`)
  const apiKeyId = (await keysOf(place, { key })).find((one) => one.credential.publicKey === key.publicKey)?.apiKeyId
  return { key, userId: claims.user_id, apiKeyId: apiKeyId ?? '', claims, token }
}
