import * as t from '../../../core/codec/t.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { TOKEN_CHARACTERS_MAX } from '../../../core/identity/identity-token.ts'
import { OidcToken } from '../../../core/resources/oauth-provider/oauth-provider-params.ts'
import { isContact, normalContact, type OtpType } from '../../../core/resources/verification/contact.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { vouches } from './oauth-login.ts'
import { oldestOf, onlyOf, provedBy } from './sub-organizations.ts'
import { isRefused, present } from './wire.ts'

const FilterType = t.keyof({
  CREDENTIAL_ID: null,
  NAME: null,
  USERNAME: null,
  EMAIL: null,
  PHONE_NUMBER: null,
  OIDC_TOKEN: null,
  OIDC_CLAIMS: null,
  PUBLIC_KEY: null,
  WALLET_ACCOUNT_ADDRESS: null,
})
type FilterType = t.TypeOf<typeof FilterType>

const Request = t.fields(
  { filterType: FilterType, filterValue: t.textUpTo(TOKEN_CHARACTERS_MAX) },
  { verificationToken: t.TextOrEmpty, oidcToken: t.union([OidcToken, t.literal('')]) },
)
type Request = t.TypeOf<typeof Request>

const CONTACTS: { readonly [type in FilterType]?: OtpType } = { EMAIL: 'OTP_TYPE_EMAIL', PHONE_NUMBER: 'OTP_TYPE_SMS' }

/** Clients name people by their contacts, unless they are told another name. */
const NAMES: ReadonlySet<FilterType> = new Set(['NAME', 'USERNAME'])

/** The kind of the contact by which a request asks, also if it asks for a name that is one. */
const otpTypeOf = ({ filterType, filterValue: contact }: Request): OtpType | undefined =>
  NAMES.has(filterType)
    ? (['OTP_TYPE_EMAIL', 'OTP_TYPE_SMS'] as const).find((otpType) => isContact({ otpType, contact }))
    : CONTACTS[filterType]

/** What belongs to one organization only, in the words of the API. */
const OF_ONE: { readonly [type in FilterType]?: string } = {
  PUBLIC_KEY: 'a public key',
  CREDENTIAL_ID: 'a credential ID',
}

/** Tells whether somebody has an account, and which organization it is. Of several by a name or a contact, the oldest one. */
export const account: Endpoint<Request> = {
  path: '/v1/account',
  request: Request,
  contactOf: (request) => {
    const otpType = otpTypeOf(request)
    return otpType && normalContact({ otpType, contact: request.filterValue })
  },
  answer: async (request, call) => present({ organizationId: await organizationOf(request, call) }),
}

const organizationOf = async (request: Request, call: Call): Promise<string | undefined> => {
  const { filterType, filterValue } = request
  const otpType = otpTypeOf(request)
  if (otpType !== undefined && call.config.verificationTokenRequiredForGetAccountPii === true) {
    const owned = await ownerOf(otpType, request, call)
    if (!NAMES.has(filterType)) return owned
  }
  if (CONTACTS[filterType] !== undefined)
    return oldestOf({ path: 'list_verified_suborgs', filterType, filterValue }, call)
  const listing = { path: 'list_suborgs', filterType, filterValue } as const
  const ofOne = OF_ONE[filterType]
  return ofOne === undefined ? oldestOf(listing, call) : onlyOf(listing, ofOne, call)
}

const notProved = (): Error => refuse('REQUEST_NOT_AUTHORIZED', 'a token for this contact is required')

/** Tells only whoever has proved the contact. Whatever is wrong with a token, the words are the same. */
const ownerOf = async (
  otpType: OtpType,
  { filterValue, verificationToken, oidcToken }: Request,
  call: Call,
): Promise<string | undefined> => {
  const token = verificationToken
    ? { verificationToken }
    : oidcToken && vouches(oidcToken, call.config) && { oidcToken }
  if (!token) throw notProved()
  const proved = await provedBy(token, call).catch((error: unknown) => {
    throw isRefused(error) ? notProved() : error
  })
  const isIts = proved.otpType === otpType && normalContact(proved) === normalContact({ otpType, contact: filterValue })
  if (!isIts) throw notProved()
  return proved.subOrganizationId
}
