import { users } from '../../../core/organization/users.ts'
import { quorum } from '../../../core/organization/quorum.ts'
import { policies } from '../../../core/organization/policies.ts'
import type { Organization } from '../../../core/organization/state.ts'
import type { Approval, DecisionInput } from '../../../core/policy/consensus.ts'
import type { TimeFacts } from '../../../core/policy/evaluator.ts'
import { Instant } from '../../../core/policy/instant.ts'
import { parse } from '../../../core/policy/parser.ts'
import type { Node } from '../../../core/policy/syntax.ts'

/**
 * The language and the rules a second time, written from their description for tests only: slow, by exceptions, and
 * sharing nothing with the first but the parser.
 */
export const naiveEvaluate = (text: string, facts: Readonly<Record<string, unknown>>): boolean | 'error' => {
  if (text === '') return true
  const parsed = parse(text)
  if (parsed._tag === 'Left') return 'error'
  try {
    const value = valueOf(parsed.right, new Map(Object.entries(facts)))
    return typeof value === 'boolean' ? value : 'error'
  } catch {
    return 'error'
  }
}

type Names = ReadonlyMap<string, unknown>

const valueOf = (node: Node, names: Names): unknown => {
  switch (node._tag) {
    case 'literal':
      return node.value
    case 'list':
      return node.items.map((item) => valueOf(item, names))
    case 'struct':
      return new Given(node.members.map(({ name, value }) => [name, valueOf(value, names)]))
    case 'timestamp':
      if (node.value._tag === 'Left') throw new Error('timestamp')
      return node.value.right
    case 'cron-span': {
      const time = names.get('time') as TimeFacts
      if (node.value._tag === 'Left') throw new Error('span')
      return present(time.isWithin(node.value.right, time.now.ms))
    }
    case 'name':
      return present(names.get(node.name))
    case 'field': {
      const of = valueOf(node.of, names)
      if (Array.isArray(of) && node.name === 'count') return BigInt(of.length)
      return present(membersOf(of).get(node.name))
    }
    case 'index': {
      const key = valueOf(node.index, names)
      const whole = valueOf(node.of, names)
      if (node.index._tag === 'literal' && typeof key === 'string') return present(membersOf(whole).get(key))
      return present(Array.from(listOrText(whole) as ArrayLike<unknown>)[position(key)])
    }
    case 'slice': {
      const of = listOrText(valueOf(node.of, names))
      const from = position(valueOf(node.from, names))
      const to = position(valueOf(node.to, names))
      if (from < 0 || to < from || to > of.length) throw new Error('range')
      return of.slice(from, to)
    }
    case 'count':
      return BigInt(list(valueOf(node.of, names)).length)
    case 'contains': {
      const items = list(valueOf(node.of, names))
      const item = valueOf(node.item, names)
      return items.map((other) => same(present(other), item)).includes(true)
    }
    case 'each': {
      const items = list(valueOf(node.of, names)).map(present)
      const results = items.map((item) => valueOf(node.predicate, new Map([...names, [node.variable, item]])) === true)
      if (node.quantifier === 'filter') return items.filter((_, index) => results[index])
      return node.quantifier === 'any' ? results.includes(true) : !results.includes(false)
    }
    case 'not':
      return valueOf(node.of, names) === false
    case 'logic': {
      const values = node.clauses.map((clause) => valueOf(clause, names))
      return node.operator === '&&' ? !values.includes(false) : values.includes(true)
    }
    case 'compare':
      return compared(node, names)
    default:
      return node satisfies never
  }
}

const compared = (node: Extract<Node, { readonly _tag: 'compare' }>, names: Names): boolean => {
  const left = valueOf(node.left, names)
  const right = valueOf(node.right, names)
  if (node.operator === '==') return same(left, right)
  if (node.operator === '!=') return !same(left, right)
  if (node.operator === 'in')
    return list(right)
      .map((other) => same(left, present(other)))
      .includes(true)
  if (left instanceof Instant && right instanceof Instant) return holds(node.operator, exact(left), exact(right))
  if (typeof left !== 'bigint' || typeof right !== 'bigint') throw new Error('type')
  return holds(node.operator, left, right)
}

/** A struct that the expression gives. */
class Given extends Map<string, unknown> {}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> => {
  if (value instanceof Given) return value
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('struct')
  return new Map(Object.entries(value as object))
}

/** A moment as one number, with forty digits behind the millisecond. */
const exact = ({ ms, finer }: Instant): bigint => BigInt(ms) * 10n ** 40n + BigInt(finer.padEnd(40, '0'))

const holds = (operator: '<' | '>' | '<=' | '>=', left: bigint, right: bigint): boolean =>
  ({ '<': left < right, '>': left > right, '<=': left <= right, '>=': left >= right })[operator]

const present = (value: unknown): unknown => {
  if (value === undefined || value === null) throw new Error('missing')
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error('number')
  return typeof value === 'number' ? BigInt(value) : value
}

const list = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Error('list')
  return value
}

const position = (value: unknown): number => {
  if (typeof value !== 'bigint') throw new Error('position')
  return Number(value)
}

const listOrText = (value: unknown): string | readonly unknown[] => (typeof value === 'string' ? value : list(value))

const same = (a: unknown, b: unknown): boolean => {
  if (typeof a === 'string' && typeof b === 'string') {
    const isAddress = /^0x[0-9a-f]*$/i.test(a) && /^0x[0-9a-f]*$/i.test(b) && a[1] === 'x' && b[1] === 'x'
    return isAddress ? a.toLowerCase() === b.toLowerCase() : a === b
  }
  if (a instanceof Instant && b instanceof Instant) return exact(a) === exact(b)
  if (a instanceof Given || b instanceof Given) return sameMembers(a, b)
  if (typeof a === typeof b && (typeof a === 'bigint' || typeof a === 'boolean')) return a === b
  const [text, number] = typeof a === 'string' ? [a, b] : [b, a]
  if (typeof text !== 'string' || typeof number !== 'bigint' || !/^-?\d+$/.test(text)) throw new Error('type')
  return BigInt(text) === number
}

const sameMembers = (a: unknown, b: unknown): boolean => {
  const [one, other] = [a, b].map((side) =>
    [...membersOf(side)].filter(([, value]) => value !== undefined && value !== null),
  )
  if (one === undefined || other === undefined || one.length !== other.length) throw new Error('members')
  const others = new Map(other)
  return !one.map(([name, value]) => sameInside(present(value), present(others.get(name)))).includes(false)
}

const sameInside = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b))
    return (
      a.length === b.length &&
      !list(a)
        .map((item, at) => sameInside(item, list(b)[at]))
        .includes(false)
    )
  const areStructs = [a, b].every((one) => typeof one === 'object' && !Array.isArray(one) && !(one instanceof Instant))
  return areStructs ? sameMembers(a, b) : same(a, b)
}

type Voter = { readonly userId: string; readonly keyIds: readonly string[] }

const naiveFacts = (organization: Organization, input: DecisionInput, voters: readonly Voter[]) => ({
  activity: { ...input },
  approvers: voters.map(({ userId }) => {
    const user = users.of(organization).get(userId)
    return { id: userId, tags: user?.tagIds ?? [], email: user?.userEmail ?? '', alias: user?.userName }
  }),
  credentials: voters.flatMap(({ userId, keyIds }) =>
    keyIds.flatMap((keyId) => {
      const key = users.of(organization).get(userId)?.credentials.get(keyId)
      if (key === undefined) return []
      const fact = { id: keyId, user_id: userId, public_key: key.publicKey }
      if (key.kind === 'passkey')
        return [{ ...fact, type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', credential_id: key.webauthnId }]
      return [{ ...fact, type: key.curve.replace('API_KEY_CURVE', 'CREDENTIAL_TYPE_API_KEY'), credential_id: '' }]
    }),
  ),
})

/** In UTC, by looking at each minute of the duration. */
const naiveIsWithin: TimeFacts['isWithin'] = (span, atMs) => {
  if (span.zone !== 'UTC') return undefined
  const last = Math.floor(atMs / 60_000)
  for (let back = 0; back * 60_000 < span.durationMs + 60_000; back += 1) {
    const minute = new Date((last - back) * 60_000)
    if (minute.getTime() + span.durationMs <= atMs) return false
    const isDay =
      span.daysOfMonth !== undefined && span.daysOfWeek !== undefined
        ? span.daysOfMonth.includes(minute.getUTCDate()) || span.daysOfWeek.includes(minute.getUTCDay())
        : (span.daysOfMonth?.includes(minute.getUTCDate()) ?? true) &&
          (span.daysOfWeek?.includes(minute.getUTCDay()) ?? true)
    const isTime = span.hours.includes(minute.getUTCHours()) && span.minutes.includes(minute.getUTCMinutes())
    if (isDay && isTime && span.months.includes(minute.getUTCMonth() + 1)) return true
  }
  return false
}

/** Outcome, rule and the policies' outcomes, joined. */
export const naiveDecide = (
  organization: Organization,
  input: DecisionInput,
  approvals: readonly Approval[],
): string => {
  const counted: Voter[] = []
  for (const { userId, credentialId } of approvals) {
    if (users.of(organization).has(userId) && !counted.some((voter) => voter.userId === userId)) {
      counted.push({ userId, keyIds: [credentialId] })
    }
  }
  const members = quorum.of(organization).userIds.filter((id) => users.of(organization).has(id))
  const met = members.filter((id) => counted.some((voter) => voter.userId === id)).length
  if (met >= quorum.of(organization).threshold) return 'ALLOWED root-quorum'
  const isRoot = members.includes(input.requester)
  if (input.resource === undefined) return `${isRoot ? 'CONSENSUS_NEEDED' : 'DENIED'} root-quorum`
  const allKeys = (userId: string): Voter => ({
    userId,
    keyIds: [...(users.of(organization).get(userId)?.credentials.keys() ?? [])],
  })
  const absent = [...users.of(organization).keys()].filter((id) => !counted.some((voter) => voter.userId === id))
  const extensions = [
    [...counted.map(({ userId }) => allKeys(userId)), ...absent.map(allKeys)],
    ...absent.flatMap((id) => [
      [...counted, allKeys(id)],
      ...allKeys(id).keyIds.map((k) => [...counted, { userId: id, keyIds: [k] }]),
    ]),
  ]
  const time: TimeFacts = { now: new Instant(input.atMs), isWithin: naiveIsWithin }
  const outcomes = [...policies.of(organization).values()].map((policy) => {
    const applies = naiveEvaluate(policy.time, { time })
    if (applies === false) return 'OUTCOME_TIME_INACTIVE'
    if (applies === 'error') return 'OUTCOME_ERROR'
    const now = naiveFacts(organization, input, counted)
    const condition = naiveEvaluate(policy.condition, now)
    const consensus = naiveEvaluate(policy.consensus, now)
    if (condition === 'error' || consensus === 'error') return 'OUTCOME_ERROR'
    if (!condition) return 'OUTCOME_DENY_IMPLICIT'
    if (consensus) return policy.effect === 'EFFECT_ALLOW' ? 'OUTCOME_ALLOW' : 'OUTCOME_DENY_EXPLICIT'
    if (policy.effect === 'EFFECT_DENY') return 'OUTCOME_DENY_IMPLICIT'
    const reachable = extensions.some(
      (e) => naiveEvaluate(policy.consensus, naiveFacts(organization, input, e)) === true,
    )
    return reachable ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
  })
  const first = (): string => {
    if (outcomes.includes('OUTCOME_DENY_EXPLICIT')) return isRoot ? 'CONSENSUS_NEEDED root-quorum' : 'DENIED policies'
    if (outcomes.includes('OUTCOME_ALLOW')) return 'ALLOWED policies'
    if (outcomes.includes('OUTCOME_REQUIRES_CONSENSUS')) return 'CONSENSUS_NEEDED policies'
    if (isRoot) return 'CONSENSUS_NEEDED root-quorum'
    const isOwn = input.ownCredentials && counted.some((voter) => voter.userId === input.requester)
    return isOwn ? 'ALLOWED own-credentials' : 'DENIED policies'
  }
  return [first(), ...outcomes].join(' ')
}

/** Whether some set of users without this one does not agree, and does with this one: by trying every set. */
export const naiveIsPivotal = (
  organization: Organization,
  input: DecisionInput,
  consensus: string,
  userId: string,
): boolean => {
  const others = [...users.of(organization).keys()].filter((id) => id !== userId)
  const agrees = (ids: readonly string[]) => {
    const voters = ids.map((id) => ({
      userId: id,
      keyIds: [...(users.of(organization).get(id)?.credentials.keys() ?? [])],
    }))
    return naiveEvaluate(consensus, naiveFacts(organization, input, voters)) === true
  }
  for (let bits = 0; bits < 1 << others.length; bits += 1) {
    const some = others.filter((_, index) => (bits >> index) & 1)
    if (!agrees(some) && agrees([...some, userId])) return true
  }
  return false
}
