import * as t from '../../codec/t.ts'
import { query, type QueryContext } from '../../definition/query.ts'
import { refusal } from '../../definition/refuse.ts'
import { invalidToken } from '../../identity/identity-token.ts'
import { EMAIL_ISSUER } from '../oauth-provider/new-oauth-providers.ts'
import { OidcToken } from '../oauth-provider/oauth-provider-params.ts'
import { tokenIn } from '../oauth-provider/token-keys.ts'
import { hasVerified } from '../verification/attestation.ts'
import { OtpType, usersWith, type Contact } from '../verification/contact.ts'
import { checkToken, claimsOf } from '../verification/verification-token.ts'
import { foundBelow, notEnded, type ReadRows } from './found-below.ts'
import { verifiedFacet } from './sub-organization-rows.ts'
import { subOrganizations } from './sub-organizations.ts'

const Request = t.fields(
  { organizationId: t.Uuid },
  { verificationToken: t.Text, oidcToken: OidcToken },
  ({ verificationToken, oidcToken }) =>
    (verificationToken === undefined) === (oidcToken === undefined)
      ? { member: 'verificationToken', expected: 'a token, or oidcToken in its place' }
      : undefined,
)

/**
 * For whoever signs others in and must know neither contacts nor users: who has received a code at a contact, or has an address by Google's word, brings a
 * token for it, and is told apart. The token is not used up. What it is about is told even if nobody has the contact, and nothing without a token that holds.
 */
export const findVerifiedUser = query({
  path: 'find_verified_user',
  summary:
    'Finds the user below this organization whose verified contact a token proves: in the oldest organization that has one.',
  request: Request,
  answer: t.fields({ otpType: OtpType, contact: t.string }, { subOrganizationId: t.Uuid, userId: t.Uuid }),
  run: async (request, context) => {
    const contact = await provedBy(request, context)
    return { ...contact, ...(await verifiedBelow(contact, context)) }
  },
})

/** What the token is about, if it holds. */
const provedBy = async (
  { verificationToken, oidcToken = '' }: t.TypeOf<typeof Request>,
  context: Pick<QueryContext, 'organization' | 'atMs' | 'verificationKeys' | 'keyOfToken'>,
): Promise<Contact> => {
  if (verificationToken !== undefined) {
    const claims = claimsOf(verificationToken, { publicKeys: () => context.verificationKeys })
    checkToken(claims, context)
    return { otpType: claims.verification_type, contact: claims.contact }
  }
  const { issuer, verifiedEmail } = tokenIn(oidcToken, context)
  if (issuer !== EMAIL_ISSUER || verifiedEmail === undefined) throw refusal(invalidToken) // no other issuer is asked
  await context.keyOfToken(oidcToken)
  return { otpType: 'OTP_TYPE_EMAIL', contact: verifiedEmail }
}

const verifiedBelow = async (
  { otpType, contact }: Contact,
  { rows, below }: Pick<QueryContext, 'rows' | 'below'>,
): Promise<{ readonly subOrganizationId: string; readonly userId: string } | undefined> => {
  const readRows: ReadRows = (selection) => rows(subOrganizations, selection, { of: 'store' })
  const first = verifiedFacet({ otpType, contact })
  for await (const ids of foundBelow(readRows, { first, ascending: true }))
    for (const subOrganizationId of await notEnded(readRows, ids)) {
      const userId = await below(
        subOrganizationId,
        (organization) => usersWith(organization, { otpType, contact }).find(hasVerified(otpType))?.userId,
      )
      if (userId !== undefined) return { subOrganizationId, userId }
    }
  return undefined
}
