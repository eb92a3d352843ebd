import * as t from '../../codec/t.ts'
import { decodeHex, decodeUtf8, encodeUtf8 } from '../../bytes.ts'
import { operation } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import type { Keyring } from '../../ports/keyring.ts'
import type { Oauth2 } from '../../ports/oauth2.ts'
import { targetKeyOf, TargetPublicKey } from '../bundle/bundle.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { openedBy } from '../deployment-key/deployment-keys.ts'
import { IDENTITY_ISSUER, ownIdentityToken, type IdentityIssuer } from '../deployment-key/identity-issuer.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { credentialBundle } from '../session/credential-bundle.ts'
import { mustBeSet } from './must-be-set.ts'
import { findOauth2Credential, SUBJECTS } from './oauth2-credentials.ts'

const Intent = t.fields(
  {
    oauth2CredentialId: t.Uuid,
    authCode: t.Text,
    redirectUri: t.Text,
    codeVerifier: t.textUpTo(1_024),
    nonce: t.textUpTo(1_024),
  },
  { bearerTokenTargetPublicKey: TargetPublicKey },
)

/** The token, sealed under the secret of the day. */
const Authenticated = t.fields({ oidcToken: t.string })

export const oauth2Authenticate = operation({
  type: 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE',
  path: 'oauth2_authenticate',
  summary:
    'Takes the code of a provider of OAuth2, and gives an identity token of this server which says who has signed in there.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: Intent,
  result: Authenticated,
  change: t.fields({}),
  passwords: ['authCode', 'codeVerifier'],
  wire: mustBeSet(Intent, ['authCode', 'codeVerifier', 'redirectUri', 'oauth2CredentialId', 'nonce']),

  check: (intent, { organization }) => {
    onlyOnTop(organization)
    const credential = findOauth2Credential(intent.oauth2CredentialId, organization)
    const { provider, clientId, encryptedClientSecret } = credential
    return { organizationId: organization.organizationId, provider, clientId, encryptedClientSecret, ...intent }
  },

  perform: {
    ...insideWork,
    needs: {
      [DAY_SECRETS]: port<DaySecrets>(),
      [IDENTITY_ISSUER]: port<IdentityIssuer>(),
      oauth2: port<Oauth2>(),
      ...needsKeyring.needs,
    },
    whenMissing: 'unsupported',
    performed: Authenticated,
    run: async (checked, { ports, atMs, signal }) => {
      const { organizationId, provider, clientId, authCode: code, codeVerifier, redirectUri, nonce } = checked
      const { keyring } = ports
      const { publicUrl } = ports[IDENTITY_ISSUER]
      if (publicUrl === undefined) throw refuse('OAUTH2_PROVIDER_NOT_CONFIGURED', NOT_CONFIGURED)
      const clientSecret = await secretIn(keyring, checked.encryptedClientSecret)
      const given = { organizationId, provider, clientId, clientSecret, code, codeVerifier, redirectUri }
      const { id, accessToken } = valueOf(await ports.oauth2.accountOf(given, signal)())
      const to = checked.bearerTokenTargetPublicKey
      const claims = {
        iss: publicUrl,
        aud: clientId,
        sub: `${SUBJECTS[provider]}:${id}`,
        nonce,
        ...(to !== undefined && { encrypted_bearer_token: await bundleFor(keyring, to, accessToken) }),
      }
      const token = await ownIdentityToken(keyring, claims, atMs)
      return { oidcToken: valueOf(await ports[DAY_SECRETS].seal('result', token)()) }
    },
  },

  execute: (_, { performed }) => ({ result: performed, change: {} }),

  evolve: () => undefined,

  encodeResult: ({ oidcToken }, _, reveal) => ({ oidcToken: reveal(oidcToken) }),
})

const NOT_CONFIGURED =
  'this server issues no identity tokens: it has to know the URL at which the world finds it, publicUrl or --public-url'
const DOES_NOT_OPEN =
  "the client secret does not open: update the credential with one that was encrypted to this server's key oauth2-encryption"

const secretIn = async (keyring: Keyring, encrypted: string): Promise<string> => {
  const envelope = decodeHex(encrypted) ?? new Uint8Array()
  const opened = valueOf(await openedBy(keyring, 'oauth2-encryption', envelope)())
  const secret = opened && decodeUtf8(opened)
  if (secret === undefined || secret === '') throw refuse('REQUEST_INVALID', DOES_NOT_OPEN)
  return secret
}

/** The text of a token, as a credential bundle has a key. */
const bundleFor = async (keyring: Keyring, to: string, token: string): Promise<string> =>
  credentialBundle(valueOf(await keyring.encryptTo(targetKeyOf(to), encodeUtf8(token))()))
