import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'
import { kindOf } from '../../organization/credential.ts'
import {
  AuthenticationType,
  type AuthenticationMethod,
  type AuthenticationStep,
} from '../../organization/mfa-policies.ts'
import { NO_PROFILE } from '../../organization/issued-key.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import type { User } from '../../organization/users.ts'
import { sessionProfiles } from '../session-profile/session-profiles.ts'

export const Method = t.fields({ type: AuthenticationType }, { id: t.Uuid })

/** The steps of an intent. */
export const StepParams = t.some(t.fields({ any: t.some(Method) }))

/** As answers have them. */
export const StepViews = t.readonlyArray(t.fields({ any: t.readonlyArray(Method) }))

const STEPS_MAX = 10

/** Refuses steps that the user could not meet: with a type that nobody can sign with here, or with a credential of somebody else. */
export const checkSteps = (steps: readonly AuthenticationStep[], user: User, organization: Organization): void => {
  if (steps.length > STEPS_MAX) throw refuse.field(MEMBER, `at most ${STEPS_MAX} steps`)
  for (const [index, { any }] of steps.entries()) {
    const field = `${MEMBER}.${index}.any`
    for (const [place, method] of any.entries()) checkMethod(`${field}.${place}`, method, user, organization)
  }
}

const MEMBER = 'requiredAuthenticationMethods'

const checkMethod = (
  field: string,
  { type, id }: AuthenticationMethod,
  { credentials, oauthProviders }: User,
  organization: Organization,
): void => {
  if (id === undefined) return
  if (type === 'AUTHENTICATION_TYPE_EMAIL_OTP' || type === 'AUTHENTICATION_TYPE_SMS_OTP')
    throw refuse.field(`${field}.id`, 'no id: a user has one contact of this type')
  if (type === 'AUTHENTICATION_TYPE_OAUTH' && oauthProviders.has(id)) return
  if (type === 'AUTHENTICATION_TYPE_SESSION') {
    // The profiles of an organization below another one are the parent's.
    const isKnown =
      id === NO_PROFILE || parentOf(organization) !== undefined || sessionProfiles.of(organization).has(id)
    if (!isKnown)
      throw refuse.field(`${field}.id`, `the id of a session profile, or ${NO_PROFILE} for sessions without one`)
    return
  }
  const credential = credentials.get(id)
  if (credential === undefined || kindOf(credential).methodOf(credential)?.type !== type)
    throw refuse.field(`${field}.id`, 'the id of a credential of this type that the user has')
}
