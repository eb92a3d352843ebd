import * as t from '../../codec/t.ts'
import { query, type QueryContext } from '../../definition/query.ts'
import { refuse } from '../../definition/refuse.ts'
import { credentialNamed, hasPublicKey } from '../../organization/credentials.ts'
import type { Organization } from '../../organization/state.ts'
import { pageOf, pagination } from '../pagination.ts'
import { signersNamed } from '../signing/signers.ts'
import { walletAccounts } from '../wallet/wallets.ts'
import { foundBelow, notEnded, typeWithValue, type ReadRows } from './found-below.ts'
import { canonical, EACH, facetOf, type Filter } from './sub-organization-rows.ts'
import { subOrganizations } from './sub-organizations.ts'

const FilterType = t.keyof(
  {
    NAME: null,
    USERNAME: null,
    EMAIL: null,
    PHONE_NUMBER: null,
    PUBLIC_KEY: null,
    CREDENTIAL_ID: null,
    OIDC_TOKEN: null,
    WALLET_ACCOUNT_ADDRESS: null,
  },
  'a type of filter',
)
type FilterType = t.TypeOf<typeof FilterType>

const isOffered = (type: FilterType): type is Exclude<FilterType, 'OIDC_TOKEN'> => type !== 'OIDC_TOKEN'

/**
 * Names, contacts and credentials have to be the same as the value; e-mail addresses, and keys and addresses in hexadecimal digits, in any case. A credential
 * counts as long as it is registered: an API key that has expired, too. `PUBLIC_KEY` finds API keys, and passkeys by their COSE key in
 * base64url.
 */
export const listSuborgs = query({
  path: 'list_suborgs',
  summary: 'Lists organizations below this one, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid },
    { filterType: FilterType, filterValue: t.TextOrEmpty, paginationOptions: pagination('an organization') },
    typeWithValue,
  ),
  answer: t.fields({ organizationIds: t.readonlyArray(t.Uuid) }),
  run: async ({ filterType, filterValue = '', paginationOptions = {} }, context) => {
    if (filterType !== undefined && !isOffered(filterType))
      throw refuse('UNSUPPORTED', `filterType ${filterType} is not supported`)
    const { limit, ...page } = await pageOf(paginationOptions, 'an organization below this one', async (id) => {
      const row = await context.row(subOrganizations, id, { of: 'store' })
      return row && BigInt(row.position)
    })
    const readRows: ReadRows = (selection) => context.rows(subOrganizations, selection, { of: 'store' })
    const first = filterType === undefined ? EACH : facetOf(filterType, filterValue)
    const organizationIds: string[] = []
    for await (const ids of foundBelow(readRows, { first, ...page })) {
      const left = limit - organizationIds.length
      const has = filterType && credentialIn(filterType, filterValue)
      const there = isExact(filterType) ? ids : await notEnded(readRows, ids)
      organizationIds.push(...(has === undefined ? there.slice(0, left) : await having(has, there, left, context)))
      if (organizationIds.length >= limit) break
    }
    return { organizationIds: page.ascending ? organizationIds.toReversed() : organizationIds }
  },
})

/** Whether the rows go when the organization ends. Those of its users do not. */
const isExact = (filter: Filter | undefined): boolean => filter === undefined || filter === 'NAME'

/** Whether an organization has the credential, or the address; `undefined` where no state need be asked. */
const credentialIn = (filter: Filter, given: string): ((organization: Organization) => boolean) | undefined => {
  const name = canonical(filter, given)
  if (filter === 'PUBLIC_KEY') return (organization) => hasPublicKey(organization, name)
  if (filter === 'CREDENTIAL_ID')
    return (organization) => credentialNamed(organization, { kind: 'passkey', name }) !== undefined
  if (filter === 'WALLET_ACCOUNT_ADDRESS')
    return (organization) => signersNamed(organization, given).some((id) => walletAccounts.of(organization).has(id))
  return undefined
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
