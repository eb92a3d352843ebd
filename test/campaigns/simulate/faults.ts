import type { Mistake } from '../mutants/known.ts'

/** A mistake in the sources that the simulator has to find. */
export type Fault = Mistake & {
  /** The promises that it breaks. */
  readonly breaks: RegExp
  /** A seed near the first history that shows it. */
  readonly near: number
}

/** What was wrong as soon as two processes wrote to one store. */
const several: readonly Fault[] = [
  {
    name: 'parked-not-read-when-adopting',
    file: 'core/following/place.ts',
    find: 'onParked(found.right.parked)',
    put: '',
    breaks: /none behind a parked one/,
    near: 150,
  },
  {
    name: 'effects-taken-up-at-a-start-only',
    file: 'core/command/interrupted-effects.ts',
    find: 'open.note({ organizationId, activityId }, dueAt(event.data.resumeAt, event.at))',
    put: 'void activityId',
    breaks: /stays PENDING/,
    near: 440,
  },
  {
    name: 'effects-without-leases',
    file: 'core/command/effect-jobs.ts',
    find: 'await leasing.hold(leaseOf(activity))',
    put: 'E.right({ lost: new AbortController().signal, giveUp: async () => undefined })',
    breaks: /while somebody is at work/,
    near: 1,
  },
  {
    name: 'one-snapshot-for-all-versions',
    file: 'adapters/store-memory/read-models.ts',
    find: 'own.delete(snapshot.version)',
    put: 'own.clear()',
    breaks: /snapshots of its version/,
    near: 12,
  },
  {
    name: 'positions-counted-back',
    file: 'core/following/own-commits.ts',
    find: 'const positioned = gaplessPositions',
    put: 'const positioned = true',
    breaks: /taken in order|nothing else/,
    near: 1,
  },
  {
    name: 'each-query-reads-a-head',
    file: 'core/writing/heads.ts',
    find: 'if (before === undefined) return begin(organization)',
    put: 'if (before === undefined || true) return begin(organization)',
    breaks: /one read of a head/,
    near: 1,
  },
]

/**
 * What is near to these, or was found by the simulator. A lease that is not noticed to be lost, an attempt that one process forgets, and one that
 * is begun although somebody else has its lease, show too seldom where others take the work up: test/core/leasing and test/core/command guard them.
 * So do they guard that a query looks whether the state is durable that another cell has gone on with.
 */
const near: readonly Fault[] = [
  {
    name: 'joins-a-read-of-a-head-that-had-begun',
    file: 'core/writing/heads.ts',
    find: 'if (before === undefined) return begin(organization)',
    put: 'if (before !== undefined) return before\n      if (before === undefined) return begin(organization)',
    breaks: /sees what was durable|stays PENDING|only if the store went back/,
    near: 10,
  },
  {
    name: 'joins-a-fold-that-had-begun',
    file: 'core/writing/loads.ts',
    find: "if (E.isRight(joined) || joined.left.code === 'UNAVAILABLE') return joined",
    put: 'if (true) return joined',
    breaks: /sees what was durable/,
    near: 1,
  },
  {
    name: 'behind-a-number',
    file: 'core/writing/cell.ts',
    find: '      after,\n',
    put: '',
    breaks: /one chain/,
    near: 700,
  },
  {
    name: 'checkpoint-moved-without-comparing',
    file: 'adapters/store-memory/read-models.ts',
    find: 'if (found.checkpoint !== from)',
    put: 'if (found.checkpoint !== from && false)',
    breaks: /taken in order|goes forward|equal a rebuild/,
    near: 12,
  },
]

const authenticate = 'core/command/authenticate.ts'

/**
 * A passkey's name is not its key: it may be deleted, and another one be registered under the same name, at any moment. That a process refuses the
 * signature of the new one by the key of before was found here, but shows too seldom: test/core/resources/authenticator guards it.
 */
const passkeys: readonly Fault[] = [
  {
    name: 'another-passkey-under-the-name',
    file: authenticate,
    find: 'found.publicKey === verified.publicKey ? E.right(found) : E.left(changedMeanwhile)',
    put: 'E.right(found)',
    breaks: /each stamp in the log|gets no answer/,
    near: 1600,
  },
  {
    name: 'caller-not-looked-up-again',
    file: authenticate,
    find: 'E.flatMap(sameAs(caller))(callerIn(sight, atMs))',
    put: 'E.right(caller)',
    breaks: /each stamp in the log|gets no answer/,
    near: 5,
  },
  {
    name: 'last-credential-deleted',
    file: 'core/resources/authenticator/delete-authenticators.ts',
    find: '!keepsLasting(user, authenticatorIds)',
    put: 'false',
    breaks: /keeps a credential/,
    near: 505,
  },
]

export const faults: readonly Fault[] = [...several, ...near, ...passkeys]
