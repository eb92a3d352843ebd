import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { encodeBase64Url } from '../../../../core/bytes.ts'
import type { Filter } from '../../../../core/resources/sub-organization/sub-organization-rows.ts'
import { anIssuer, google } from '../../world/issuer.ts'
import { paramsOf, softwarePasskey } from '../../world/software-passkey.ts'

/* Names, contacts, credentials and accounts of drawn persons, and what somebody looks for among them. */

export const NAMES = ['Acme', 'acme', 'Other']
export const keys = Array.from({ length: 4 }, () => generateKey())
const passkeys = Array.from({ length: 3 }, () => softwarePasskey({ algorithm: 'ES256', rpId: 'example.com' }))
const pools = {
  USERNAME: ['ada', 'Ada', 'eve'],
  EMAIL: ['a@x.org', 'A@X.org', 'b@x.org'],
  PHONE_NUMBER: ['+15550100', '+15550101', '+15550102'],
}

/** Texts that several persons have, such as one person has alone, and the empty one. */
export const textOf = (filter: keyof typeof pools, value: number, n: number): string => {
  const own = { USERNAME: `name ${n}`, EMAIL: `Mail-${n}@x.org`, PHONE_NUMBER: `+1666${String(n).padStart(4, '0')}` }
  return value < 3 ? (pools[filter][value] ?? '') : value < 6 ? own[filter] : ''
}

/** Accounts at two providers, of which some are several persons' in different organizations, and others one person's alone. */
const accountOf = (value: number, n: number) => {
  const issuer = value % 2 === 0 ? anIssuer : google
  return { issuer, claims: { sub: value < 4 ? `several ${value}` : `own ${n}`, aud: 'client' } }
}

export const accountParams = (value: number, n: number) => {
  const { issuer, claims } = accountOf(value, n)
  return { providerName: 'account', oidcToken: issuer.token(claims) }
}

/** What somebody may look for: all that several have, and what strangers have. */
export const sought: readonly (readonly [Filter, string])[] = [
  ...NAMES.map((name) => ['NAME', name] as const),
  ...pools.USERNAME.map((name) => ['USERNAME', name] as const),
  ...pools.EMAIL.map((email) => ['EMAIL', email] as const),
  ...pools.PHONE_NUMBER.map((phone) => ['PHONE_NUMBER', phone] as const),
  ...keys.map(({ publicKey }) => ['PUBLIC_KEY', publicKey] as const),
  ...passkeys.map(({ publicKey }) => ['PUBLIC_KEY', encodeBase64Url(publicKey)] as const),
  ...passkeys.map(({ credentialId }) => ['CREDENTIAL_ID', encodeBase64Url(credentialId)] as const),
  ...[0, 1, 2, 3].map((value) => {
    const { issuer, claims } = accountOf(value, 0)
    return ['OIDC_CLAIMS', JSON.stringify({ iss: issuer.url, ...claims })] as const
  }),
]

export const nth = <A>(list: readonly A[], n: number): A | undefined => list[n % list.length]

export const paramsOfKey = (key: (typeof keys)[number] | undefined) => ({
  apiKeyName: 'key',
  publicKey: key?.publicKey ?? '',
  curveType: key?.curve ?? '',
})

export const passkeyParams = (n: number) => {
  const passkey = nth(passkeys, n)
  return passkey === undefined ? {} : paramsOf(passkey)
}

/** The parameters of a user, who has a key of others that expires, and another credential that does not. */
export const newUser = (value: number, more: number, n: number) => ({
  userName: textOf('USERNAME', value, n) || 'ada',
  userEmail: textOf('EMAIL', more, n),
  userPhoneNumber: textOf('PHONE_NUMBER', (value + more) % 8, n),
  apiKeys:
    value % 2 === 0 ? [paramsOfKey(nth(keys, more))] : [{ ...paramsOfKey(nth(keys, more)), expirationSeconds: '60' }],
  authenticators: value % 2 === 0 ? [] : [passkeyParams(more)],
  oauthProviders: [],
})
