import * as t from '../codec/t.ts'
import { fields } from '../codec/fields.ts'
import type { DeepReadonly } from './state.ts'

/** The ways of signing that a step may ask for, in the words of the wire. */
export const AuthenticationType = t.keyof({
  AUTHENTICATION_TYPE_EMAIL_OTP: null,
  AUTHENTICATION_TYPE_SMS_OTP: null,
  AUTHENTICATION_TYPE_PASSKEY: null,
  AUTHENTICATION_TYPE_API_KEY: null,
  AUTHENTICATION_TYPE_OAUTH: null,
  AUTHENTICATION_TYPE_SESSION: null,
})
export type AuthenticationType = t.TypeOf<typeof AuthenticationType>

/** Credentials of one type: with an id, only this one. */
export const AuthenticationMethod = fields({ type: AuthenticationType }, { id: t.string })

/** A step is met by one of its methods. */
export const AuthenticationStep = fields({ any: t.array(AuthenticationMethod) })

/** What a policy says, besides its notes. */
export const mfaPolicyMembers = {
  mfaPolicyName: t.string,
  /** In the policy language; it looks at the activity alone. */
  condition: t.string,
  requiredAuthenticationMethods: t.array(AuthenticationStep),
  order: t.number,
}

export const MfaPolicy = fields(
  { mfaPolicyId: t.string, ...mfaPolicyMembers, createdAtMs: t.number, updatedAtMs: t.number },
  { notes: t.string },
)

/** What a user has to stamp with, for the activities of its condition. */
export type MfaPolicy = DeepReadonly<t.TypeOf<typeof MfaPolicy>>
export type AuthenticationMethod = DeepReadonly<t.TypeOf<typeof AuthenticationMethod>>
export type AuthenticationStep = DeepReadonly<t.TypeOf<typeof AuthenticationStep>>
