import type { Mutant } from './operators.ts'

/** A mistake that was made on purpose once, and that no test found then. */
export type Mistake = {
  readonly name: string
  readonly file: string
  /** The text that is written otherwise; it stands there once. */
  readonly find: string
  readonly put: string
  /** Filters of the tests that are run last, where others than those of `core/` can find it. */
  readonly wide?: readonly string[]
}

/** @throws where the code has changed so that the mistake cannot be made any more: then the table has to follow */
export const placeOf = ({ name, file, find, put }: Mistake, text: string): Mutant => {
  const start = text.indexOf(find)
  if (start < 0 || text.indexOf(find, start + 1) >= 0)
    throw new Error(`${name}: expected this once in ${file}: ${find}`)
  return { file, start, end: start + find.length, put, line: text.slice(0, start).split('\n').length }
}

const rules: readonly Mistake[] = [
  {
    name: 'an audit takes the stamp of a key that had expired',
    file: 'core/audit/check-request.ts',
    find: "return isExpired(key, millis(basis.at)) ? 'the key of the stamp had expired' : key",
    put: 'return key',
  },
  {
    name: 'the bus compares a copied vote with the last vote only',
    file: 'core/command/vote.ts',
    find: 'activity.votes.some(({ id, credentialId }) => {',
    put: 'activity.votes.slice(-1).some(({ id, credentialId }) => {',
  },
  {
    name: 'an audit compares a copied vote with the last vote only',
    file: 'core/audit/check-request.ts',
    find: 'cast.some((one)',
    put: 'cast.slice(-1).some((one)',
  },
  {
    name: 'the body of an activity approves it in a later window, too',
    file: 'core/activity/activity.ts',
    find: 'activity.windowStartedAtMs === activity.createdAtMs && !hasLapsed(activity, atMs)',
    put: '!hasLapsed(activity, atMs)',
  },
  {
    name: 'a credential is refused by a state that another process has moved on',
    file: 'core/command/authenticate.ts',
    find: 'if (confirmed.right) return answer',
    put: 'return answer',
  },
  {
    name: 'a key that expires while its command waits is still good',
    file: 'core/command/authenticate.ts',
    find: '(callerIn(sight, atMs))),',
    put: '(callerIn(sight, 0))),',
  },
  {
    name: 'interrupted work gets one attempt more than the last',
    file: 'core/command/effect-attempts.ts',
    find: 'attempt < how.attemptsMax',
    put: 'attempt <= how.attemptsMax',
  },
  {
    name: 'work that was not available gets one attempt more than the last',
    file: 'core/command/effect-attempts.ts',
    find: 'attempt.attempt < attemptsMax)',
    put: 'attempt.attempt <= attemptsMax)',
  },
  {
    name: 'a denial is read from the first vote, and not from the last',
    file: 'core/command/answer.ts',
    find: 'live.activity.votes[live.activity.votes.length - 1]',
    put: 'live.activity.votes[0]',
  },
  {
    name: 'a verification that rejects counts as true',
    file: 'core/audit/verifications.ts',
    find: '() => settle(false)',
    put: '() => settle(true)',
  },
  {
    name: 'an organization is released from parking before its last page',
    file: 'core/following/retry-one.ts',
    find: 'if (isDone) changes.push(parked.release(organization))',
    put: 'changes.push(parked.release(organization))',
  },
  {
    name: 'what is parked is tried again beyond the checkpoint',
    file: 'core/following/retry-one.ts',
    find: 'if (position > checkpoint) break',
    put: ';',
  },
]

const bytes: readonly Mistake[] = [
  {
    name: 'a low surrogate has no upper bound',
    file: 'core/json/scanner.ts',
    find: ' || low > 0xdfff',
    put: '',
  },
  { name: 'salts have 8 bytes', file: 'core/log/chain.ts', find: 'const SALT_BYTES = 32', put: 'const SALT_BYTES = 8' },
  {
    name: 'there is a version 0 of an event',
    file: 'core/log/event.ts',
    find: 'version < 1 ||',
    put: 'version < 0 ||',
  },
  {
    name: 'parts stand in any order',
    file: 'core/log/transcript-check.ts',
    find: 'last.name >= part.name',
    put: 'last.name === part.name',
  },
]

const bounds: readonly Mistake[] = [
  {
    name: 'a head may be cut by one event',
    file: 'core/audit/audit.ts',
    find: 'if (sequence <= (found.get(organization)?.sequence ?? 0n)) continue',
    put: 'if (sequence - 1n <= (found.get(organization)?.sequence ?? 0n)) continue',
  },
  {
    name: 'a store may be newer by one version',
    file: 'adapters/store-sqlite/schema.ts',
    find: 'versionOf(db) > all.length ?',
    put: 'versionOf(db) > all.length + 1 ?',
  },
  {
    name: 'an evaluation takes one step more',
    file: 'core/policy/run.ts',
    find: 'run.steps <= run.stepsMax',
    put: 'run.steps <= run.stepsMax + 1',
  },
  {
    name: 'an evaluation takes one step less',
    file: 'core/policy/run.ts',
    find: 'run.steps <= run.stepsMax',
    put: 'run.steps < run.stepsMax',
  },
  {
    name: 'an expression is nested one deeper',
    file: 'core/policy/parser.ts',
    find: 'cursor.level >= EXPRESSION_DEPTH_MAX',
    put: 'cursor.level > EXPRESSION_DEPTH_MAX',
  },
  {
    name: 'looking ahead costs nothing but its steps',
    file: 'core/policy/expression.ts',
    find: 'allowance.steps -= rules.stepsPerQuestion(facts.approvers.length, facts.credentials.length)',
    put: 'allowance.steps -= 0',
  },
  {
    name: 'looking ahead goes on without steps',
    file: 'core/policy/expression.ts',
    find: 'if (allowance.steps <= 0) return false',
    put: 'if (allowance.steps < 0) return false',
  },
]

const language: readonly Mistake[] = [
  {
    name: 'those who approve now come last where it is asked what can be reached',
    file: 'core/policy/reachable.ts',
    find: '[...first, ...others]',
    put: '[...others, ...first]',
  },
  {
    name: 'a user who is needed only where nobody approves yet is not asked for',
    file: 'core/policy/eligibility.ts',
    find: 'tips(presentOthers) || tips([])',
    put: 'tips(presentOthers)',
  },
]

const commands: readonly Mistake[] = [
  {
    name: 'a credentials file may hold halves of two keys',
    file: 'adapters/credentials/credentials.ts',
    find: 'key.right.publicKey !== apiPublicKey.toLowerCase()',
    put: 'false',
    wide: ['test/adapters/cli'],
  },
  {
    name: 'a reading that broke off is a finding',
    file: 'adapters/audit/audit-text.ts',
    find: "if (unread !== undefined) return E.left({ by: 'text', ...unread })",
    put: '',
    wide: ['test/adapters/cli'],
  },
]

export const knownMistakes: readonly Mistake[] = [...rules, ...bytes, ...bounds, ...language, ...commands]
