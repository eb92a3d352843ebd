import {
  metrics,
  SpanStatusCode,
  trace,
  type MeterProvider,
  type ObservableCallback,
  type Span,
  type TracerProvider,
} from '@opentelemetry/api'
import {
  counters,
  gauges,
  histograms,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type SpanName,
  type Telemetry,
} from '../../core/ports/telemetry.ts'
import { grpcCode } from '../../core/query/failure-view.ts'
import { buckets } from './buckets.ts'
import { telling, THROWN, timed } from './span-duration.ts'

export type OpenTelemetryOptions = {
  /** The name under which a host's SDK sees the engine. Default: `countersign`. */
  readonly scope?: string
  /** Where spans go. Default: what the host has registered with the API. */
  readonly tracerProvider?: TracerProvider
  /** Where numbers go. Default: what the host has registered with the API, before this is called. */
  readonly meterProvider?: MeterProvider
}

/**
 * Telemetry through the OpenTelemetry API: the host's SDK receives it, and without one it goes nowhere. The spans of a
 * submit are children of the span that is active when it arrives, as far as the host has registered a context manager.
 *
 * @example
 * const engine = await createEngine({ store, telemetry: openTelemetry() })
 */
export const openTelemetry = ({
  scope = 'countersign',
  tracerProvider = trace,
  meterProvider = metrics,
}: OpenTelemetryOptions = {}): Telemetry => {
  const tracer = tracerProvider.getTracer(scope)
  const meter = meterProvider.getMeter(scope)
  const counterOf = once((name: CounterName) => meter.createCounter(name, { description: counters[name] }))
  const histogramOf = once((name: HistogramName) =>
    meter.createHistogram(name, { ...histograms[name], advice: { explicitBucketBoundaries: [...buckets[name]] } }),
  )
  const gaugeOf = once((name: GaugeName) => meter.createObservableGauge(name, { description: gauges[name] }))
  const record: Telemetry['record'] = (name, value, attributes) => histogramOf(name).record(value, { ...attributes })
  const finisher = (span: Span, name: SpanName): ((outcome: string) => void) => {
    const note = timed(record, name)
    return (outcome) => {
      span.setAttribute('outcome', outcome)
      if (isFault(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome })
      span.end()
      note?.(outcome)
    }
  }

  return {
    span: (name, attributes, work, outcome) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, (span) =>
        telling(work, outcome, finisher(span, name)),
      ),
    // Not made the active one: what such work sets off is no part of it, and goes on when it is long over.
    spanSync: (name, attributes, work, outcome) => {
      const finish = finisher(tracer.startSpan(name, { attributes: { ...attributes } }), name)
      let ended = THROWN
      try {
        const result = work()
        ended = outcome(result)
        return result
      } finally {
        finish(ended)
      }
    },
    count: (name, by, attributes) => counterOf(name).add(by, { ...attributes }),
    record,
    observe: (name, attributes, read) => {
      const gauge = gaugeOf(name)
      const callback: ObservableCallback = (result) => result.observe(read(), { ...attributes })
      gauge.addCallback(callback)
      return () => gauge.removeCallback(callback)
    },
  }
}

/** Whether the engine is to blame. What a caller did wrong is an outcome like any other, and no reason to wake anybody. */
const isFault = (outcome: string): boolean => outcome === THROWN || FAULTS.has(outcome)

/** Of gRPC's numbers: INTERNAL and UNAVAILABLE. */
const FAULTS: ReadonlySet<string> = new Set(
  Object.entries(grpcCode).flatMap(([code, number]) => (number === 13 || number === 14 ? [code] : [])),
)

/** Makes the instrument of each name when it is first needed, and keeps it. */
const once = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, V>()
  return (key) => {
    const found = made.get(key)
    if (found !== undefined) return found
    const value = make(key)
    made.set(key, value)
    return value
  }
}
