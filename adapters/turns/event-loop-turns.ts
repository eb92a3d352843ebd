import type { Clock } from '../../core/ports/clock.ts'
import type { Turns } from '../../core/ports/turns.ts'

/** How long work goes on in one turn of the event loop, before the process handles new arrivals. */
const TURN_MS = 10

/**
 * How many turns the event loop makes after that, before work goes on. It accepts one connection in each turn: if every turn were long,
 * few callers could connect. A turn without work takes some microseconds.
 */
const FREE_TURNS = 32

/** The longest pause of organizations with long work. */
const REST_MAX_MS = 100

/** How long the used time of an organization is remembered. */
const REMEMBERED_MS = 1_000

/** A clock that never jumps. */
const monotonic: Pick<Clock, 'now' | 'after'> = {
  now: () => performance.now(),
  after: (delayMs, wake) => {
    const timer = setTimeout(wake, delayMs)
    return () => clearTimeout(timer)
  },
}

type Line = {
  readonly goOn: (() => void)[]
  /** The time used in this and the last seconds; each second counts half as much as the next. */
  usedMs: number
  /** Until when the organization counts as one with long work. */
  longUntil: number
}

/**
 * Turns of Node's event loop. After a long turn, work waits until the process has accepted and read new arrivals. Then the organization
 * that has used the least time goes first, so that one with a thousand requests at once does not make others wait.
 *
 * A request goes through the event loop several times until it is answered, and could wait for long work of another organization each
 * time. So after work of more than `TURN_MS`, organizations with long work pause for the same time, if others wait.
 *
 * @param clock  if not given, the time that the process has run: that never jumps
 */
export const eventLoopTurns = (
  clock: Pick<Clock, 'now' | 'after'> = monotonic,
): Turns & { readonly remembered: () => number } => {
  const lines = new Map<string, Line>()
  const waiting = new Set<Line>()
  let current: { readonly line: Line; readonly sinceMs: number } | undefined
  let turnBeganAt = 0
  let freeTurns = 0
  let isMarked = false
  let rest = { untilMs: 0, isTimed: false }
  let forgottenAt = clock.now()

  const mark = (now: number): void => {
    if (isMarked) return
    isMarked = true
    turnBeganAt = now
    setImmediate(turned)
  }

  const turned = (): void => {
    freeTurns = Math.max(0, freeTurns - 1)
    if (freeTurns > 0) {
      setImmediate(turned)
      return
    }
    isMarked = false
    if (current === undefined) letIn()
  }

  const charge = (now: number): void => {
    if (current === undefined) return
    const { line, sinceMs } = current
    current = undefined
    const tookMs = now - sinceMs
    line.usedMs += tookMs
    if (tookMs < TURN_MS) return
    line.longUntil = now + REMEMBERED_MS
    if (lines.size > 1) rest = { ...rest, untilMs: now + Math.min(tookMs, REST_MAX_MS) }
  }

  const letIn = (): void => {
    const now = clock.now()
    charge(now)
    if (now - forgottenAt >= REMEMBERED_MS) {
      forgottenAt = now
      forget(lines, now)
    }
    if (waiting.size === 0) return
    mark(now)
    if (freeTurns > 0) return
    if (now - turnBeganAt >= TURN_MS) {
      freeTurns = FREE_TURNS
      return
    }
    const next = leastUsed(waiting, (line) => now >= rest.untilMs || now >= line.longUntil)
    if (next === undefined) return wakeAfterRest(now)
    current = { line: next, sinceMs: now }
    const goOn = next.goOn.shift()
    if (next.goOn.length === 0) waiting.delete(next)
    goOn?.()
    // Runs after the synchronous part of this work, because only then its duration is known.
    queueMicrotask(() => process.nextTick(letIn))
  }

  const wakeAfterRest = (now: number): void => {
    if (rest.isTimed) return
    rest = { ...rest, isTimed: true }
    clock.after(rest.untilMs - now, () => {
      rest = { ...rest, isTimed: false }
      if (current === undefined) letIn()
    })
  }

  return {
    next: (organizationId) =>
      new Promise((resolve) => {
        const line = lines.get(organizationId) ?? { goOn: [], usedMs: 0, longUntil: 0 }
        line.goOn.push(resolve)
        lines.set(organizationId, line)
        waiting.add(line)
        if (current === undefined) letIn()
      }),
    /** How many organizations it remembers: those of the last second or two, and those that have used much time. */
    remembered: () => lines.size,
  }
}

const leastUsed = (waiting: ReadonlySet<Line>, mayGoOn: (line: Line) => boolean): Line | undefined => {
  let least: Line | undefined
  for (const line of waiting) if ((least === undefined || line.usedMs < least.usedMs) && mayGoOn(line)) least = line
  return least
}

const forget = (lines: Map<string, Line>, now: number): void => {
  for (const [organizationId, line] of lines) {
    line.usedMs /= 2
    if (line.goOn.length === 0 && line.usedMs < 1 && now >= line.longUntil) lines.delete(organizationId)
  }
}
