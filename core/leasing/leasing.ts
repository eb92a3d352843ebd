import type { Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { Leases } from '../ports/leases.ts'
import { E } from '../prelude.ts'

/** A lease that this process holds, and renews until it gives it up. */
export type Held = {
  /** Aborted shortly before the lease ends, if it could not be renewed in time. */
  readonly lost: AbortSignal
  /** Whether it holds by the clock: timers are late where the process stood still. */
  readonly isCertain: () => boolean
  readonly giveUp: () => Promise<void>
}

export type Leasing = {
  /** Takes the lease; `undefined` if somebody holds it. A store without leases gives it to everybody. */
  readonly hold: (name: string) => Promise<E.Either<Failure, Held | undefined>>
  /** When to ask again for a lease that somebody else holds. */
  readonly askAgainMs: number
  /** Renews nothing any more: what is held now ends by itself, because its work may still go on. */
  readonly close: () => void
}

/** How long after the death of its holder a lease ends, unless the options say otherwise. */
export const LEASE_MS = 15_000
export type LeasingOptions = { readonly leaseMs?: number | undefined }

type Ports = { readonly leases: Leases | undefined; readonly clock: Clock }

/** Times are measured by timers from before each call, so that here a lease never seems to last longer than in the store. */
export const leasing = ({ leases, clock }: Ports, { leaseMs = LEASE_MS }: LeasingOptions = {}): Leasing => {
  const renewAfterMs = Math.floor(leaseMs / 3)
  /** How long before its end a lease that was not renewed counts as lost. */
  const marginMs = Math.floor((2 * leaseMs) / 15)
  const stops = new Set<() => void>()

  const hold: Leasing['hold'] = async (name) => {
    if (leases === undefined) return E.right(heldForEver)
    const lost = new AbortController()
    const timers = { renewal: (): void => undefined, end: (): void => undefined }
    let isGivenUp = false
    /** Whether the store was asked for the lease and has not given it yet. */
    let isAsked = true
    /** The clock before the call by which it was taken or renewed last. */
    let sinceMs = 0

    const begin = (): (() => void) => clock.after(leaseMs - marginMs, end)
    const isWithinLease = (fromMs: number): boolean => {
      const passedMs = clock.now() - fromMs
      return passedMs >= 0 && passedMs < leaseMs - marginMs
    }
    const end = (): void => {
      if (isAsked) return stop()
      // The process stood still, or its clock was turned: otherwise the store would have been asked before.
      timers.end = clock.after(marginMs, stop)
      void renew()
    }
    const stop = (): void => {
      timers.renewal()
      timers.end()
      stops.delete(stop)
      lost.abort()
    }

    const renew = async (): Promise<void> => {
      isAsked = true
      timers.renewal()
      const callOff = begin()
      const fromMs = clock.now()
      const renewed = await leases.renew(lease, leaseMs)()
      if (isGivenUp || lost.signal.aborted) return callOff()
      if (E.isRight(renewed) && !renewed.right) {
        callOff()
        return stop()
      }
      if (E.isLeft(renewed)) callOff()
      else {
        isAsked = false
        sinceMs = fromMs
        timers.end()
        timers.end = callOff
      }
      timers.renewal = clock.after(renewAfterMs, () => void renew())
    }

    const callOff = begin()
    sinceMs = clock.now()
    const taken = await leases.take(name, leaseMs)()
    // This process stood still meanwhile: its timers are late, too, and somebody else may have the lease already.
    const stoodStill = clock.now() - sinceMs >= leaseMs - marginMs
    if (E.isLeft(taken) || taken.right === undefined) {
      callOff()
      return E.isLeft(taken) && !stoodStill ? taken : E.right(undefined)
    }
    const lease = taken.right
    if (stoodStill) {
      callOff()
      await leases.giveUp(lease)()
      return E.right(undefined)
    }
    isAsked = false
    timers.end = callOff
    timers.renewal = clock.after(renewAfterMs, () => void renew())
    stops.add(stop)
    return E.right({
      lost: lost.signal,
      isCertain: () => !lost.signal.aborted && !isGivenUp && isWithinLease(sinceMs),
      giveUp: async () => {
        isGivenUp = true
        timers.renewal()
        timers.end()
        stops.delete(stop)
        await leases.giveUp(lease)()
      },
    })
  }

  return {
    hold,
    askAgainMs: renewAfterMs,
    close: () => {
      for (const stop of [...stops]) stop()
    },
  }
}

/** Of a store without leases, which one process has alone. */
export const heldForEver: Held = {
  lost: new AbortController().signal,
  isCertain: () => true,
  giveUp: async () => undefined,
}
