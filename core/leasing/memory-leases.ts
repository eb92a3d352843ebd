import type { Failure } from '../failure.ts'
import type { Leases } from '../ports/leases.ts'
import { E, type TE } from '../prelude.ts'

/**
 * Leases in memory, for stores that one process opens.
 *
 * @param now  milliseconds that only grow
 */
export const memoryLeases = (now: () => number): Leases => {
  const held = new Map<string, { readonly fence: bigint; readonly untilMs: number }>()
  let last = 0n

  const isHeld = (name: string, fence?: bigint): boolean => {
    const found = held.get(name)
    return found !== undefined && found.untilMs > now() && (fence === undefined || found.fence === fence)
  }

  const attempt =
    <A>(run: () => A): TE.TaskEither<Failure, A> =>
    async () =>
      E.right(run())

  return {
    take: (name, forMs) =>
      attempt(() => {
        if (isHeld(name)) return undefined
        const fence = (last += 1n)
        held.set(name, { fence, untilMs: now() + forMs })
        return { name, fence }
      }),
    renew: ({ name, fence }, forMs) =>
      attempt(() => {
        if (!isHeld(name, fence)) return false
        held.set(name, { fence, untilMs: now() + forMs })
        return true
      }),
    giveUp: ({ name, fence }) =>
      attempt(() => {
        if (held.get(name)?.fence === fence) held.delete(name)
      }),
  }
}
