import { boundedMap } from '../../core/collections/bounded-map.ts'

/** How many kinds are told apart, so that no caller can fill the memory with kinds. */
const KINDS_MAX = 100

/**
 * Says when one more thing of a kind is worth a line: the first one, and then one a minute. So nobody can fill a log by making things happen.
 *
 * @param now  milliseconds of a clock that does not jump
 * @returns how many were left out since the last line; `undefined` if this one is left out, too
 */
export const seldom = (now: () => number = () => performance.now(), everyMs = 60_000) => {
  const kinds = boundedMap<string, { toldAtMs: number; leftOut: number }>(KINDS_MAX)
  return (kind: string): number | undefined => {
    const found = kinds.get(kind)
    if (found !== undefined && now() - found.toldAtMs < everyMs) {
      found.leftOut += 1
      return undefined
    }
    kinds.set(kind, { toldAtMs: now(), leftOut: 0 })
    return found?.leftOut ?? 0
  }
}
