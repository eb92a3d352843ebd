import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from './random.ts'

/** Everything that is going to happen, and a time that passes only when it is told to. */
export type Scheduler = {
  /** The time that has really passed. The database's clock shows it; those of processes show something else. */
  readonly elapsedMs: () => number
  /** Something that happens at a time of the scheduler's choosing. */
  readonly later: (happen: () => void) => void
  readonly after: (delayMs: number, happen: () => void) => void
  /** A new process on the machine with this clock. */
  readonly host: (machine: MachineClock) => Host
  /** Lets one of the things that are waiting happen, or time pass; false when there is nothing left. */
  readonly step: () => Promise<boolean>
}

/** The clock of a machine: how far it is off, and how fast it runs. */
export type MachineClock = { offsetMs: number; readonly rate: number }

/** What a process does: nothing while it stands still, and nothing after its end. */
export type Host = {
  readonly clock: Clock
  readonly later: (happen: () => void) => void
  /** The process does nothing for so long, as after SIGSTOP; what it missed comes all at once. */
  readonly freeze: (forMs: number) => void
  /** Whether it stood still at any time since then. */
  readonly stoodStillSince: (elapsedMs: number) => boolean
  readonly isOver: () => boolean
  readonly end: () => void
}

type Owner = { frozenUntilMs: number; lastStoodStillMs: number; isOver: boolean }
type Waiting = { readonly happen: () => void; readonly of: Owner | undefined }
type Timer = { dueMs: number; readonly wake: () => void; readonly of: Owner | undefined }

const START_MS = Date.parse('2026-01-01T00:00:00.000Z')

export const scheduler = (random: Random): Scheduler => {
  let elapsedMs = 0
  let waiting: Waiting[] = []
  let timers: Timer[] = []
  const frozen = new Set<Owner>()

  const isAwake = ({ of }: Waiting | Timer): boolean => of === undefined || !frozen.has(of)

  const after = (delayMs: number, wake: () => void, of?: Owner): (() => void) => {
    const timer = { dueMs: elapsedMs + delayMs, wake, of }
    timers.push(timer)
    return () => {
      timers = timers.filter((one) => one !== timer)
    }
  }

  const thaw = (): void => {
    for (const owner of [...frozen]) {
      if (owner.frozenUntilMs > elapsedMs) continue
      owner.lastStoodStillMs = owner.frozenUntilMs
      frozen.delete(owner)
      // Its timers are all due, and its answers are all there: what comes first is chance.
      for (const timer of timers)
        if (timer.of === owner) timer.dueMs = Math.max(timer.dueMs, elapsedMs + random.below(5))
    }
  }

  const fireDue = (): void => {
    thaw()
    for (const timer of timers.filter((one) => one.dueMs <= elapsedMs && isAwake(one))) {
      if (!timers.includes(timer)) continue // called off by one of the others
      timers = timers.filter((one) => one !== timer)
      timer.wake()
    }
  }

  const step = async (): Promise<boolean> => {
    await settle()
    const ready = frozen.size === 0 ? waiting : waiting.filter(isAwake)
    const due = frozen.size === 0 ? timers : timers.filter(isAwake)
    if (ready.length > 0 && (due.length === 0 || random.chance(0.95))) {
      elapsedMs += random.below(3)
      const next = random.pick(ready)
      waiting = waiting.filter((one) => one !== next)
      next.happen()
    } else if (due.length > 0 || frozen.size > 0) {
      const next = [...due.map(({ dueMs }) => dueMs), ...[...frozen].map(({ frozenUntilMs }) => frozenUntilMs)]
      elapsedMs = Math.max(elapsedMs, Math.min(...next))
    } else {
      return false
    }
    fireDue()
    await settle()
    return true
  }

  const host = (machine: MachineClock): Host => {
    const own: Owner = { frozenUntilMs: 0, lastStoodStillMs: -1, isOver: false }
    return {
      clock: {
        now: () => START_MS + machine.offsetMs + Math.floor(elapsedMs * machine.rate),
        after: (delayMs, wake) => (own.isOver ? () => undefined : after(delayMs / machine.rate, wake, own)),
      },
      later: (happen) => void (own.isOver || waiting.push({ happen, of: own })),
      freeze: (forMs) => {
        if (own.isOver) return
        own.frozenUntilMs = elapsedMs + forMs
        frozen.add(own)
      },
      stoodStillSince: (sinceMs) => frozen.has(own) || own.lastStoodStillMs >= sinceMs,
      isOver: () => own.isOver,
      end: () => {
        own.isOver = true
        frozen.delete(own)
        waiting = waiting.filter(({ of }) => of !== own)
        timers = timers.filter(({ of }) => of !== own)
      },
    }
  }

  return {
    elapsedMs: () => elapsedMs,
    later: (happen) => void waiting.push({ happen, of: undefined }),
    after: (delayMs, happen) => void after(delayMs, happen),
    host,
    step,
  }
}

// The engine's own steps are microtasks: they are over when the next macrotask runs.
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
