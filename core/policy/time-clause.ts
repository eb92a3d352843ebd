import { policies, type Policy } from '../organization/policies.ts'
import type { Organization } from '../organization/state.ts'
import { noTimeZones } from '../ports/no-time-zones.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import { isUtc, isWithin } from './cron-span.ts'
import { compileTime, evaluate, type Allowance, type Facts, type Language } from './expression.ts'
import { Instant } from './instant.ts'
import { currentRules, type RulesVersion } from './rules.ts'

/** What the time of a policy says of a moment. */
export type TimeState =
  | { readonly _tag: 'active' }
  /** Its time is false: the policy does not apply, whatever its other clauses say. */
  | { readonly _tag: 'inactive' }
  /** It has no value, here or anywhere. */
  | { readonly _tag: 'error'; readonly reason: string }
  /** It may have a value, but this decision cannot find it: its steps are used up, or this machine does not understand it. */
  | { readonly _tag: 'unknown'; readonly reason: string }

export type TimeOptions = {
  readonly language?: Language | undefined
  /** Default: UTC alone. */
  readonly timeZones?: TimeZones | undefined
  /** Default: the present rules. */
  readonly rules?: RulesVersion
}

/** Evaluates the time of a policy. Reading and evaluating are charged to the allowance; a policy without a time costs nothing. */
export type Moment = (policy: Pick<Policy, 'time'>, allowance: Allowance) => TimeState

const active: TimeState = { _tag: 'active' }
const inactive: TimeState = { _tag: 'inactive' }

/**
 * The moment at which times of policies are evaluated: one for all policies of a decision.
 *
 * @param atMs  the time of the decision, or of the question
 */
export const momentAt = (
  atMs: number,
  { language, timeZones = noTimeZones, rules = currentRules }: TimeOptions = {},
): Moment => {
  let isZoneMissing = false
  const facts: Facts = {
    ...NOBODY,
    time: {
      now: new Instant(atMs),
      isWithin: (span, ms) => {
        const answer = isWithin(span, ms, timeZones)
        isZoneMissing ||= answer === undefined
        return answer
      },
    },
  }
  return ({ time }, allowance) => {
    if (time === '') return active
    allowance.steps -= time.length * rules.stepsPerCharacter
    if (allowance.steps <= 0) return { _tag: 'unknown', reason: 'no steps are left' }
    const compiled = compileTime(time, language)
    if (compiled._tag === 'Left') return { _tag: 'unknown', reason: compiled.left.message }
    isZoneMissing = false
    const evaluated = evaluate(compiled.right, facts, rules, allowance)
    if (evaluated._tag === 'value') return evaluated.value ? active : inactive
    const { reason, isExhausted } = evaluated
    return { _tag: isExhausted || isZoneMissing ? 'unknown' : 'error', reason }
  }
}

/** A time uses nothing of the activity. */
const NOBODY: Facts = {
  activity: { type: '', kind: '', resource: '', action: '', params: {} },
  approvers: [],
  credentials: [],
}

/** Whether a policy of the organization asks for a time zone other than UTC: then decisions depend on the data of time zones. */
export const asksTimeZones = (organization: Organization, language?: Language): boolean => {
  for (const { time } of policies.of(organization).values()) {
    if (time === '') continue
    const compiled = compileTime(time, language)
    if (compiled._tag === 'Right' && compiled.right.spans.some(({ span }) => !isUtc(span.zone))) return true
  }
  return false
}
