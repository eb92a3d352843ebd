import * as t from '../../../core/codec/t.ts'
import type { JsonObject } from '../../../core/codec/codec.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { OtpType } from '../../../core/resources/verification/contact.ts'
import type { Call } from '../endpoint.ts'
import { isRefused, readAnswer } from './wire.ts'

/* What the API tells of the organizations below the one of a configuration. */

const Ids = t.fields({ organizationIds: t.array(t.string) })

const PAGE = 100
const PAGES_MAX = 10

export type Listing = {
  readonly path: 'list_suborgs' | 'list_verified_suborgs'
  readonly filterType: string
  readonly filterValue: string
}

/** The organizations of a page of a list, newest first. */
const pageOf = async (
  { path, ...filter }: Listing,
  { config: { organizationId }, query }: Call,
  paginationOptions: JsonObject,
): Promise<readonly string[]> =>
  readAnswer(Ids, await query(path, { organizationId, ...filter, paginationOptions })).organizationIds

/** The oldest organization of a list, whose pages begin with the newest. Beyond 1,000, the list is refused: nobody makes others wait for more. */
export const oldestOf = async (listing: Listing, call: Call): Promise<string | undefined> => {
  let oldest: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const before = oldest === undefined ? {} : { before: oldest }
    const page = await pageOf(listing, call, { limit: String(PAGE), ...before })
    oldest = page.at(-1) ?? oldest
    if (page.length < PAGE) return oldest
  }
  throw refuse('CREDENTIAL_CONFLICT', 'more than one suborg associated with this value')
}

/** The only organization of a list. @throws a refusal if there are several. @param of  what they have in common, in the words of the API */
export const onlyOf = async (listing: Listing, of: string, call: Call): Promise<string | undefined> => {
  const [only, ...others] = await pageOf(listing, call, { limit: '2' })
  if (others.length > 0) throw refuse('CREDENTIAL_CONFLICT', `more than one suborg associated with ${of}`)
  return only
}

/**
 * Refuses every organization that is not below the one of the configuration, this one too, in the same words. The key of the proxy could be let in
 * nowhere else, but the words of the API would tell what other organizations there are.
 */
export const mustBeBelow = async (organizationId: string, { config, query }: Call): Promise<void> => {
  try {
    const paginationOptions = { limit: '1', before: organizationId } // a cursor has to be one of the list
    await query('list_suborgs', { organizationId: config.organizationId, paginationOptions })
  } catch (error) {
    throw isRefused(error) ? refuse('ORGANIZATION_NOT_FOUND', 'organization not found') : error
  }
}

const Proved = t.fields({ otpType: OtpType, contact: t.string }, { subOrganizationId: t.string, userId: t.string })

/** Whose contact a token proves, by the word of the API: it verifies the token before it tells anything. */
export const provedBy = async (
  token: { readonly verificationToken: string } | { readonly oidcToken: string },
  { config: { organizationId }, query }: Call,
): Promise<t.TypeOf<typeof Proved>> =>
  readAnswer(Proved, await query('find_verified_user', { organizationId, ...token }))
