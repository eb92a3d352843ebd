import * as t from '../../codec/t.ts'
import { query, type QueryContext } from '../../definition/query.ts'
import { TOKEN_CHARACTERS_MAX, type Identity, type IdentityToken } from '../../identity/identity-token.ts'
import { parseJson } from '../../json/parse-json.ts'
import { credentialNamed, hasPublicKey } from '../../organization/credentials.ts'
import { hasIssuer, identified } from '../../organization/oauth-providers.ts'
import type { Organization } from '../../organization/state.ts'
import { tokenIn } from '../oauth-provider/token-keys.ts'
import { pageOf, pagination, refusedAt } from '../pagination.ts'
import { signersNamed } from '../signing/signers.ts'
import { walletAccounts } from '../wallet/wallets.ts'
import { foundBelow, notEnded, typeWithValue, type ReadRows } from './found-below.ts'
import { canonical, EACH, facetOf, identityValue, issuerValue, type Filter } from './sub-organization-rows.ts'
import { subOrganizations } from './sub-organizations.ts'

const FilterType = t.keyof({
  NAME: null,
  USERNAME: null,
  EMAIL: null,
  PHONE_NUMBER: null,
  PUBLIC_KEY: null,
  CREDENTIAL_ID: null,
  OIDC_TOKEN: null,
  OIDC_CLAIMS: null,
  WALLET_ACCOUNT_ADDRESS: null,
})
type FilterType = t.TypeOf<typeof FilterType>

const FilterValue = t.refined(
  t.string,
  `a text of at most ${TOKEN_CHARACTERS_MAX} characters`,
  (text) => text.length <= TOKEN_CHARACTERS_MAX && text.isWellFormed(),
)

/**
 * Names, contacts and credentials have to be the same as the value; e-mail addresses, and keys and addresses in hexadecimal digits, in any case. A credential
 * counts as long as it is registered: an API key that has expired, too. `PUBLIC_KEY` finds API keys, and passkeys by their COSE key in
 * base64url. `OIDC_TOKEN` takes an identity token, which has to hold, and `OIDC_CLAIMS` what such a token says: JSON with `iss`, `sub` and `aud`.
 */
export const listSuborgs = query({
  path: 'list_suborgs',
  summary: 'Lists organizations below this one, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid },
    { filterType: FilterType, filterValue: FilterValue, paginationOptions: pagination('an organization') },
    typeWithValue,
  ),
  answer: t.fields({ organizationIds: t.readonlyArray(t.Uuid) }),
  run: async ({ filterType, filterValue = '', paginationOptions = {} }, context) => {
    const { limit, ...page } = await pageOf(paginationOptions, 'an organization below this one', async (id) => {
      const row = await context.row(subOrganizations, id, { of: 'store' })
      return row && BigInt(row.position)
    })
    const readRows: ReadRows = (selection) => context.rows(subOrganizations, selection, { of: 'store' })
    const sought = filterType === undefined ? EVERY : await soughtBy(filterType, filterValue, readRows, context)
    if (sought === undefined) return { organizationIds: [] }
    const { first, has, isExact = false } = sought
    const organizationIds: string[] = []
    for await (const ids of foundBelow(readRows, { first, ...page })) {
      const left = limit - organizationIds.length
      const there = isExact ? ids : await notEnded(readRows, ids)
      organizationIds.push(...(has === undefined ? there.slice(0, left) : await having(has, there, left, context)))
      if (organizationIds.length >= limit) break
    }
    return { organizationIds: page.ascending ? organizationIds.toReversed() : organizationIds }
  },
})

type Sought = {
  /** The facet of the rows. */
  readonly first: string
  /** Whether the rows go when the organization ends. Those of its users do not. */
  readonly isExact?: boolean
  /** Whether an organization has it; `undefined` where no state need be asked. */
  readonly has?: ((organization: Organization) => boolean) | undefined
}

const EVERY: Sought = { first: EACH, isExact: true }

/** What a filter looks for; `undefined` where nothing below has it. */
const soughtBy = async (
  type: FilterType,
  value: string,
  readRows: ReadRows,
  context: Pick<QueryContext, 'atMs' | 'below' | 'keyOfToken'>,
): Promise<Sought | undefined> => {
  if (type === 'OIDC_CLAIMS') return withIdentity(claimsIn(value))
  if (type !== 'OIDC_TOKEN')
    return { first: facetOf(type, value), has: credentialIn(type, value), isExact: type === 'NAME' }
  const token = tokenIn(value, context)
  if (!(await isIssuerBelow(token, readRows, context))) return undefined // nobody needs to ask that issuer
  await context.keyOfToken(value)
  return withIdentity(token)
}

/** Whether an organization has the credential, or the address; `undefined` where no state need be asked. */
const credentialIn = (filter: Filter, given: string): Sought['has'] => {
  const name = canonical(filter, given)
  if (filter === 'PUBLIC_KEY') return (organization) => hasPublicKey(organization, name)
  if (filter === 'CREDENTIAL_ID')
    return (organization) => credentialNamed(organization, { kind: 'passkey', name }) !== undefined
  if (filter === 'WALLET_ACCOUNT_ADDRESS')
    return (organization) => signersNamed(organization, given).some((id) => walletAccounts.of(organization).has(id))
  return undefined
}

const withIdentity = (identity: Identity): Sought => ({
  first: facetOf('OIDC_CLAIMS', identityValue(identity)),
  has: (organization) => identified(organization, identity) !== undefined,
})

const Claims = t.fields({ iss: t.Text, sub: t.Text, aud: t.Text })

const claimsIn = (text: string): Identity => {
  const claims = jsonIn(text)
  if (!Claims.is(claims)) throw refusedAt('filterValue', 'expected JSON with the texts iss, sub and aud')
  return { issuer: claims.iss, subject: claims.sub, audience: claims.aud }
}

const jsonIn = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether somebody below signs in by the issuer of the token. */
const isIssuerBelow = async (
  { issuer }: IdentityToken,
  readRows: ReadRows,
  context: Pick<QueryContext, 'below'>,
): Promise<boolean> => {
  const has = (organization: Organization): boolean => hasIssuer(organization, issuer)
  for await (const ids of foundBelow(readRows, { first: facetOf('OIDC_ISSUER', issuerValue({ issuer })) }))
    if ((await having(has, await notEnded(readRows, ids), 1, context)).length > 0) return true
  return false
}

/** The first of them whose states have the credential. */
const having = async (
  has: (organization: Organization) => boolean,
  ids: readonly string[],
  limit: number,
  { below }: Pick<QueryContext, 'below'>,
): Promise<readonly string[]> => {
  const found: string[] = []
  for (const id of ids) {
    if (found.length === limit) break
    if ((await below(id, has)) === true) found.push(id)
  }
  return found
}
