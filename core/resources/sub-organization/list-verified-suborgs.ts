import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { users } from '../../organization/users.ts'
import { pageOf, pagination } from '../pagination.ts'
import { foundBelow, notEnded, typeWithValue, type ReadRows } from './found-below.ts'
import { EACH, facetOf } from './sub-organization-rows.ts'
import { subOrganizations } from './sub-organizations.ts'

const FilterType = t.keyof({ EMAIL: null, PHONE_NUMBER: null })

export const listVerifiedSuborgs = query({
  path: 'list_verified_suborgs',
  summary: 'Lists organizations below this one with a user whose contact was verified, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid },
    { filterType: FilterType, filterValue: t.TextOrEmpty, paginationOptions: pagination('an organization') },
    typeWithValue,
  ),
  answer: t.fields({ organizationIds: t.readonlyArray(t.Uuid) }),
  run: async ({ filterType, filterValue = '', paginationOptions = {} }, { row, rows, below }) => {
    const { limit, ...page } = await pageOf(paginationOptions, 'an organization below this one', async (id) => {
      const found = await row(subOrganizations, id, { of: 'store' })
      return found && BigInt(found.position)
    })
    const readRows: ReadRows = (selection) => rows(subOrganizations, selection, { of: 'store' })
    const first = filterType === undefined ? EACH : facetOf(`VERIFIED_${filterType}`, filterValue)
    const found: string[] = []
    for await (const ids of foundBelow(readRows, { first, ...page })) {
      for (const id of await notEnded(readRows, ids)) {
        if (found.length >= limit) break
        if (filterType !== undefined || (await below(id, hasVerified)) === true) found.push(id)
      }
      if (found.length >= limit) break
    }
    return { organizationIds: page.ascending ? found.toReversed() : found }
  },
})

const hasVerified = (organization: Parameters<typeof users.of>[0]): boolean =>
  [...users.of(organization).values()].some(
    ({ isEmailVerified = false, isPhoneNumberVerified = false }) => isEmailVerified || isPhoneNumberVerified,
  )
