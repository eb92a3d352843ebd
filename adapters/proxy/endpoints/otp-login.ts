import * as t from '../../../core/codec/t.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { PublicKey } from '../../../core/resources/api-key/api-key-params.ts'
import { ClientSignature } from '../../../core/resources/verification/client-signature.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { methodOfVerification } from './auth-methods.ts'
import { mustBeBelow, provedBy } from './sub-organizations.ts'
import { OrganizationId, present, secondsOf } from './wire.ts'

const wanted = { verificationToken: t.Text, publicKey: PublicKey }
const maybe = { invalidateExisting: t.boolean, organizationId: OrganizationId }

const First = t.fields(wanted, { ...maybe, clientSignature: ClientSignature })
const Second = t.fields({ ...wanted, clientSignature: ClientSignature }, maybe)
type Login = t.TypeOf<typeof First>

/** Begins a session of the user whose contact a token names. */
const logsIn = <A extends Login>(path: string, request: t.Type<A, unknown, unknown>, type: string): Endpoint<A> => ({
  path,
  request,
  methodOf: ({ verificationToken }) => methodOfVerification(verificationToken),
  answer: async ({ organizationId: given, ...login }: Login, call) => {
    const organizationId = await organizationOf(given, login.verificationToken, call)
    const parameters = present({ ...login, expirationSeconds: secondsOf(call.config.sessionExpirationSeconds) })
    return call.submit({ type, path: 'otp_login', organizationId, parameters, resultName: 'otpLoginResult' })
  },
})

/** The organization that the client names, or the oldest one whose user has the contact, verified. A token that does not hold is told nothing. */
const organizationOf = async (given: string | undefined, verificationToken: string, call: Call): Promise<string> => {
  if (given) {
    await mustBeBelow(given, call)
    return given
  }
  const { subOrganizationId } = await provedBy({ verificationToken }, call)
  if (subOrganizationId === undefined)
    throw refuse('RESOURCE_NOT_FOUND', 'no user of an organization below has this contact, verified')
  return subOrganizationId
}

export const otpLogin = logsIn('/v1/otp_login', First, 'ACTIVITY_TYPE_OTP_LOGIN')
export const otpLoginV2 = logsIn('/v1/otp_login_v2', Second, 'ACTIVITY_TYPE_OTP_LOGIN_V2')
