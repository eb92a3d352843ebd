import { spanDurations, type SpanName, type Telemetry } from '../../core/ports/telemetry.ts'

/** What tells requests apart. Not the path: each combination of values is a series of its own, times the buckets. */
const kinds: { readonly [name in SpanName]?: string } = { 'countersign.submit': 'submit', 'countersign.query': 'query' }

/**
 * Starts to time a span whose length is a distribution, too.
 *
 * @returns what notes it, given the outcome; `undefined` where nobody asks how long the span took
 */
export const timed = (record: Telemetry['record'], name: SpanName): ((outcome: string) => void) | undefined => {
  const histogram = spanDurations[name]
  if (histogram === undefined) return undefined
  const kind = kinds[name]
  const startedAt = performance.now()
  return (outcome) =>
    record(histogram, (performance.now() - startedAt) / 1000, { ...(kind === undefined ? {} : { kind }), outcome })
}

/** The outcome of work that threw: a bug, ours or of the host. */
export const THROWN = 'thrown'

/** Does the work, and tells its outcome when it is over, however it ends. */
export const telling = async <A>(
  work: () => Promise<A>,
  outcome: (result: A) => string,
  tell: ((outcome: string) => void) | undefined,
): Promise<A> => {
  let ended = THROWN
  try {
    const result = await work()
    ended = outcome(result)
    return result
  } finally {
    tell?.(ended)
  }
}
