import { spanDurations, type SpanName, type Telemetry } from '../../core/ports/telemetry.ts'

/** The label of requests. It is not the path, because each combination of labels is a series of its own, times the buckets. */
const kinds: { readonly [name in SpanName]?: string } = { 'countersign.submit': 'submit', 'countersign.query': 'query' }

/**
 * Starts to time a span whose duration is also a metric.
 *
 * @returns a function that records the duration with the outcome; `undefined` if the duration is no metric
 */
export const timed = (record: Telemetry['record'], name: SpanName): ((outcome: string) => void) | undefined => {
  const histogram = spanDurations[name]
  if (histogram === undefined) return undefined
  const kind = kinds[name]
  const startedAt = performance.now()
  return (outcome) =>
    record(histogram, (performance.now() - startedAt) / 1000, { ...(kind === undefined ? {} : { kind }), outcome })
}

/** The outcome of work that threw, which is a bug of ours or of the host. */
export const THROWN = 'thrown'

/** Runs the work, and reports its outcome when it has ended, also if it throws. */
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
