import * as t from 'io-ts'
import { encodeUtf8 } from '../bytes.ts'
import { invalidAt, isObject, Label, violationsOf } from '../codec/codec.ts'
import { fields } from '../codec/fields.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { nearestOf } from '../nearest.ts'
import { parseStrict } from '../json/strict-json.ts'
import type { Policy } from '../organization/policies.ts'
import { Effect } from '../resources/policy/policy-rules.ts'
import { E } from '../prelude.ts'

/** A policy that is to be checked or tried: as `create_policies` takes it, or as `list_policies` answers it. */
export type ProposedPolicy = t.TypeOf<typeof ProposedPolicy>
export const ProposedPolicy = fields(
  { policyName: Label, effect: Effect },
  { policyId: t.string, condition: t.string, consensus: t.string, time: t.string, notes: t.string },
)

/** The members that a policy of a file may have. `list_policies` answers with the last two. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['policyName', 'effect', 'policyId', 'condition', 'consensus', 'time', 'notes'],
  ...['createdAt', 'updatedAt'],
])

/**
 * Reads a list of policies: JSON of the list itself, or of an object with the member `policies`, as `create_policies` takes it and
 * `list_policies` answers it.
 *
 * @returns the policies as they stand there; `REQUEST_INVALID` if the text is something else. The message repeats nothing of the text
 */
export const listOfPolicies = (text: string): E.Either<Failure, readonly Json[]> => {
  const parsed = parseStrict(encodeUtf8(text))
  if (E.isLeft(parsed)) return parsed
  const list = isObject(parsed.right) && !Array.isArray(parsed.right) ? parsed.right['policies'] : parsed.right
  return Array.isArray(list) ? E.right(list as readonly Json[]) : E.left(noList) // it was parsed from JSON
}

const noList = failure('REQUEST_INVALID', 'expected a list of policies, or an object with the member policies')

/**
 * Reads one policy of a list. A misspelt member would be a clause that is always true, so no other members are allowed.
 *
 * @returns the policy, or a message for each mistake
 */
export const proposedPolicy = (json: Json): E.Either<readonly string[], ProposedPolicy> => {
  const others = isObject(json) ? Object.keys(json).filter((name) => !MEMBERS.has(name)) : []
  const read = ProposedPolicy.decode(json)
  if (others.length === 0 && E.isRight(read)) return read
  const wrong = E.isRight(read) ? [] : violationsOf(read.left)
  return E.left([...others.map(absentMember), ...wrong.map((violation) => invalidAt('policy', [violation]).message)])
}

const absentMember = (name: string): string => {
  const nearest = nearestOf(name, MEMBERS)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  return `a policy has no member ${name.slice(0, NAME_LENGTH_MAX)}${hint}`
}

/** How much of a name a message repeats. */
const NAME_LENGTH_MAX = 64

/** A policy that is tried in place of others. */
export type TriedPolicy = {
  readonly policy: Policy
  /** Whether its id is one of the history, and not made up. */
  readonly isNamed: boolean
}

/** The policies as decisions take them. Those without an id, or with one that another has, get one. */
export const triedPolicies = (proposed: readonly ProposedPolicy[]): readonly TriedPolicy[] => {
  const ids = new Set<string>()
  return proposed.map(
    ({ policyId, policyName, effect, condition = '', consensus = '', time = '', notes = '' }, index) => {
      const isNamed = policyId !== undefined && !ids.has(policyId)
      const id = isNamed ? policyId : `policy ${index + 1}`
      ids.add(id)
      const clauses = { condition, consensus, time, notes }
      return { isNamed, policy: { policyId: id, policyName, effect, ...clauses, createdAtMs: 0, updatedAtMs: 0 } }
    },
  )
}
