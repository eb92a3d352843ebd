import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { family } from '../resources/sub-organization/children.ts'
import {
  clientKey,
  PLAIN,
  postOffice,
  sendCode,
  verify,
  verifyEncrypted,
  type ClientKey,
} from '../resources/otp/scene.ts'
import { anIssuer, google, knownIssuers, type Issuer, type TokenClaims } from '../world/issuer.ts'
import { begunBy, placeIn, type Person, type Place, type Signer, type World } from '../world/world.ts'

/* Users who are known by a verified contact or an identity provider, and stamps that say so. */

export const { ports, mails, messages } = postOffice()
export const [MAIL, PHONE] = ['ada@example.com', '+15550100']

export const texted = (): string => /[0-9A-Z]{6,9}/.exec(messages.at(-1)?.text ?? '')?.[0] ?? ''

/** A token that its key vouches with, for what is received at a contact. */
export const proved = async (
  w: Place,
  signer: Signer,
  contact = MAIL,
  key: ClientKey = clientKey(),
): Promise<Signer> => {
  const otpType = contact.startsWith('+') ? 'OTP_TYPE_SMS' : 'OTP_TYPE_EMAIL'
  const started = await sendCode(w, signer, { otpType, contact, appName: 'Engine' })
  const code = otpType === 'OTP_TYPE_SMS' ? texted() : (mails.at(-1)?.secret ?? '')
  const token = await verifyEncrypted(w, signer, started, code, key.publicKey)
  return { key, proof: { by: 'VERIFICATION_TOKEN', token } }
}

/** An organization below, of one user whose address was verified; their own key is `own`. */
export const signedUp = async (w: World): Promise<Place & { readonly own: Person }> => {
  const key = clientKey()
  const { otpId } = await sendCode(w, w.root, { otpType: 'OTP_TYPE_EMAIL', contact: MAIL, appName: 'Engine' }, PLAIN)
  const apiKeys = [{ apiKeyName: 'own', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'Ada', userEmail: MAIL, apiKeys, authenticators: [], oauthProviders: [] }
  const { result } = await w.done(
    w.root,
    'create_sub_organization',
    {
      ...{ subOrganizationName: 'below', rootQuorumThreshold: 1, rootUsers: [user] },
      verificationToken: await verify(w, w.root, otpId, mails.at(-1)?.secret ?? ''),
    },
    { type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7' },
  )
  const { subOrganizationId, rootUserIds } = begunBy(result)
  const own: Person = { key, userId: rootUserIds[0] ?? '', apiKeyId: '' }
  return { ...placeIn(w, subOrganizationId, own), own }
}

export const made = async () => {
  const w = await family({ ports })
  return { w, child: await signedUp(w) }
}

export const keysOf = async ({ own, answer }: Place & { readonly own: Person }): Promise<readonly string[]> =>
  ((await answer(own, 'get_api_keys', { userId: own.userId })).apiKeys as readonly { readonly apiKeyId: string }[]).map(
    ({ apiKeyId }) => apiKeyId,
  )

export const login = (by: Pick<Signer, 'key'>): Json => ({ publicKey: by.key.publicKey })

/** A token of an identity provider that was asked for with the key. */
export const identified = (issuer: Issuer, claims: TokenClaims = {}, key: ClientKey = clientKey()): Signer => {
  const nonce = nodeDigest().sha256Hex(encodeUtf8(key.publicKey))
  return { key, proof: { by: 'OIDC', token: issuer.token({ nonce, ...claims }) } }
}

export const withProvider = async () => {
  const issuers = knownIssuers(anIssuer, google)
  const w = await family({ ports: { ...ports, identityTokens: issuers } })
  const child = await signedUp(w)
  const oauthProviders = [{ providerName: 'own', oidcToken: anIssuer.token() }]
  const { result } = await child.done(child.own, 'create_oauth_providers', { userId: child.own.userId, oauthProviders })
  const { providerIds } = result['createOauthProvidersResultV2'] as { readonly providerIds: readonly [string] }
  return { w, child, issuers, providerId: providerIds[0] }
}
