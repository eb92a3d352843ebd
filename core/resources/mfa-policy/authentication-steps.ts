import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'
import { isKindOfCredential, kindOf } from '../../organization/credential.ts'
import {
  AuthenticationType,
  type AuthenticationMethod,
  type AuthenticationStep,
} from '../../organization/mfa-policies.ts'
import type { User } from '../../organization/users.ts'

export const Method = t.fields({ type: AuthenticationType }, { id: t.Uuid })

/** The steps of an intent. */
export const StepParams = t.some(t.fields({ any: t.some(Method) }))

/** As answers have them. */
export const StepViews = t.readonlyArray(t.fields({ any: t.readonlyArray(Method) }))

const STEPS_MAX = 10

/** Refuses steps that the user could not meet: with a type that nobody can sign with here, or with a credential of somebody else. */
export const checkSteps = (steps: readonly AuthenticationStep[], user: User): void => {
  if (steps.length > STEPS_MAX) throw refuse.field(MEMBER, `at most ${STEPS_MAX} steps`)
  for (const [index, { any }] of steps.entries()) {
    const field = `${MEMBER}.${index}.any`
    for (const [place, method] of any.entries()) checkMethod(`${field}.${place}`, method, user)
  }
}

const MEMBER = 'requiredAuthenticationMethods'

const checkMethod = (field: string, { type, id }: AuthenticationMethod, { credentials }: User): void => {
  if (!isKindOfCredential(type)) throw refuse.unsupported(`steps of the type ${type}`)
  if (id === undefined) return
  const credential = credentials.get(id)
  if (credential === undefined || kindOf(credential).authenticationType !== type)
    throw refuse.field(`${field}.id`, 'the id of a credential of this type that the user has')
}
