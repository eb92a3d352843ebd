import { sha256 } from '@noble/hashes/sha2.js'
import { encodeHex, encodeUtf8 } from '../../bytes.ts'
import * as t from '../../codec/t.ts'
import type { Parent } from '../../definition/projection.ts'
import type { Identity } from '../../identity/identity-token.ts'
import type { RowChange } from '../../ports/read-models.ts'
import type { NewUser } from '../user/new-users.ts'
import type { Contact } from '../verification/contact.ts'

/** What an organization below another one can be found by. */
export type Filter =
  | 'NAME'
  | 'USERNAME'
  | 'EMAIL'
  | 'PHONE_NUMBER'
  | 'VERIFIED_EMAIL'
  | 'VERIFIED_PHONE_NUMBER'
  | 'PUBLIC_KEY'
  | 'CREDENTIAL_ID'
  | 'WALLET_ACCOUNT_ADDRESS'
  | 'OIDC_CLAIMS'
  | 'OIDC_ISSUER'

/** The value of each row. `position` is that of the event with which the organization began: the order of all its rows. */
export const SubOrganizationRow = t.fields({ organizationId: t.string, position: t.string })
export type SubOrganizationRow = t.TypeOf<typeof SubOrganizationRow>

/**
 * The first facet of the row that each organization has until it ends. The key of that row is its id, and so is the second facet: then many
 * of them can be looked up at once.
 */
export const EACH = 'EACH'

/** The first facet of the rows with a value. */
export const facetOf = (filter: Filter, value: string): string => `${filter} ${canonical(filter, value)}`

/** The same of organizations with a user whose contact was verified. */
export const verifiedFacet = ({ otpType, contact }: Contact): string =>
  facetOf(otpType === 'OTP_TYPE_EMAIL' ? 'VERIFIED_EMAIL' : 'VERIFIED_PHONE_NUMBER', contact)

/** A value as it is compared: e-mail addresses in lower case, and so are keys and addresses in hexadecimal digits. */
export const canonical = (filter: Filter, value: string): string =>
  filter === 'EMAIL' || filter === 'VERIFIED_EMAIL' || (HAS_DIGITS.has(filter) && /^(?:0x)?[0-9a-f]+$/i.test(value))
    ? value.toLowerCase()
    : value

/** The value of `OIDC_CLAIMS`. It is a hash, since a store bounds the length of facets, and issuers bound none of theirs. */
export const identityValue = ({ issuer, audience, subject }: Identity): string => hashed([issuer, audience, subject])

/** The value of `OIDC_ISSUER`. */
export const issuerValue = ({ issuer }: Pick<Identity, 'issuer'>): string => hashed([issuer])

const hashed = (texts: readonly string[]): string => encodeHex(sha256(encodeUtf8(JSON.stringify(texts))))

/** What may be written in hexadecimal digits. */
const HAS_DIGITS: ReadonlySet<Filter> = new Set(['PUBLIC_KEY', 'WALLET_ACCOUNT_ADDRESS'])

/** An organization below another one. */
export type Child = { readonly organizationId: string; readonly parent: Parent }

/** The row that each has. */
export const begun = (child: Child): RowChange =>
  put(child, child.organizationId, { first: EACH, second: child.organizationId })

/** Takes away that row and the name. Rows of its users may stay: whoever reads them asks for that row. */
export const ended = (child: Child): readonly RowChange[] => [
  gone(child, child.organizationId),
  ...notFound(child, ['NAME'], [child.organizationId]),
]

/** A row by which it is found; no row where the text is empty or erased. @param of  the id of what has the value */
export const found = (child: Child, filter: Filter, of: string, text = ''): RowChange => {
  const key = keyOf(child, filter, of)
  return text === '' ? gone(child, key) : put(child, key, { first: facetOf(filter, text) })
}

/** Takes away the rows of what is gone. The keys have no value in them, because an event does not tell the values that were there before. */
export const notFound = (child: Child, filters: readonly Filter[], of: readonly string[]): readonly RowChange[] =>
  of.flatMap((id) => filters.map((filter) => gone(child, keyOf(child, filter, id))))

export const foundByKeys = (child: Child, keys: NewUser['apiKeys']): readonly RowChange[] =>
  keys.map(({ apiKeyId, publicKey }) => found(child, 'PUBLIC_KEY', apiKeyId, publicKey))

export const foundByPasskeys = (child: Child, registered: NewUser['authenticators'] = []): readonly RowChange[] =>
  registered.flatMap(({ authenticatorId, publicKey, webauthnId }) => [
    found(child, 'PUBLIC_KEY', authenticatorId, publicKey),
    found(child, 'CREDENTIAL_ID', authenticatorId, webauthnId),
  ])

/** What is erased of a provider reads as empty texts. */
export const foundByProviders = (
  child: Child,
  providers: readonly (Identity & { readonly providerId: string })[] = [],
): readonly RowChange[] =>
  providers.flatMap((provider) => {
    const { providerId, issuer } = provider
    return [
      found(child, 'OIDC_CLAIMS', providerId, issuer && identityValue(provider)),
      found(child, 'OIDC_ISSUER', providerId, issuer && issuerValue(provider)),
    ]
  })

export const PROVIDERS: readonly Filter[] = ['OIDC_CLAIMS', 'OIDC_ISSUER']

export const foundByAccounts = (
  child: Child,
  accounts: readonly { readonly walletAccountId: string; readonly address: string }[],
): readonly RowChange[] =>
  accounts.map(({ walletAccountId, address }) => found(child, 'WALLET_ACCOUNT_ADDRESS', walletAccountId, address))

const put = (
  { organizationId, parent: { organizationId: organization, position } }: Child,
  key: string,
  facets: { readonly first: string; readonly second?: string },
): RowChange => ({
  _tag: 'put',
  organization,
  key,
  order: position,
  facets,
  value: { organizationId, position: String(position) },
})

const gone = ({ parent }: Child, key: string): RowChange => ({
  _tag: 'delete',
  organization: parent.organizationId,
  key,
})

const keyOf = ({ organizationId }: Child, filter: Filter, of: string): string => `${filter} ${organizationId} ${of}`
