import { ApiKeyStamper, SignatureFormat } from '@turnkey/api-key-stamper'
import { TurnkeyClient } from '@turnkey/core'
import { AttestedStamper } from '@turnkey/core/dist/__stampers__/attested/base.js'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { MfaContext } from '@turnkey/core/dist/__types__/config.js'
import type { Session } from '@turnkey/sdk-types'

/**
 * The client of `@turnkey/core` as in a browser, but for the two stores that a browser gives it: of its sessions, and of its keys, which are not in
 * IndexedDB here. In a real browser, `npm run check:browser` drives it.
 *
 * @param onMfaRequired  called while a factor is missing; where it is left out, the client gives the activity as it is
 */
export const coreClient = (
  about: { readonly url: string; readonly organizationId: string },
  onMfaRequired?: (client: TurnkeyClient, context: MfaContext) => Promise<void>,
): TurnkeyClient => {
  const storageManager = sessionStore()
  const apiKeyStamper = keyStore(async () => (await storageManager.getActiveSession())?.publicKey ?? '')
  const client = new TurnkeyClient({
    organizationId: about.organizationId,
    apiBaseUrl: about.url,
    onMfaRequired: onMfaRequired && ((context) => onMfaRequired(client, context)),
    ...{ activityPoller: { intervalMs: 1, numRetries: 20 } }, // it is passed on, though its type does not have it
  })
  const attestedStamper = new AttestedStamper(apiKeyStamper as ConstructorParameters<typeof AttestedStamper>[0]) // it signs, that is all
  Object.assign(client, { storageManager, apiKeyStamper, attestedStamper })
  client.httpClient = client.createHttpClient()
  return client
}

const sessionStore = () => {
  const sessions = new Map<string, Session>()
  let active = ''
  return {
    storeSession: async (token: string, name: string) => {
      sessions.set(name, sessionOf(token))
      active = name
    },
    getSession: async (name: string) => sessions.get(name),
    getActiveSession: async () => sessions.get(active),
    getActiveSessionKey: async () => active,
    listSessionKeys: async () => [...sessions.keys()],
    clearSession: async (name: string) => void sessions.delete(name),
  }
}

/** What the client keeps of the claims of a session's token. */
const sessionOf = (token: string): Session => {
  const claims = JSON.parse(atob(token.split('.')[1] ?? '')) as { readonly [name: string]: string } // as sessions have them
  return {
    sessionType: claims['session_type'],
    userId: claims['user_id'],
    organizationId: claims['organization_id'],
    publicKey: claims['public_key'],
    expiry: Number(claims['exp']),
    expirationSeconds: '900',
    token,
  } as Session // the client itself reads no more
}

/** @param ofSession  the public key of the session */
const keyStore = (ofSession: () => Promise<string>) => {
  const stampers = new Map<string, ApiKeyStamper>()
  const stamperOf = (publicKey: string): ApiKeyStamper => {
    const stamper = stampers.get(publicKey)
    if (stamper === undefined) throw new Error(`no key of ${publicKey}`)
    return stamper
  }
  return {
    createKeyPair: async () => {
      const { publicKey, privateKey } = generateP256KeyPair()
      stampers.set(publicKey, new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey }))
      return publicKey
    },
    listKeyPairs: async () => [...stampers.keys()],
    deleteKeyPair: async (publicKey: string) => void stampers.delete(publicKey),
    sign: async (payload: string, format = SignatureFormat.Der, publicKey?: string) =>
      stamperOf(publicKey ?? (await ofSession())).sign(payload, format),
    stamp: async (payload: string) => stamperOf(await ofSession()).stamp(payload),
  }
}
