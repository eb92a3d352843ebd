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
import { failureCodes } from '../../core/failure-codes.ts'
import { buckets } from './buckets.ts'
import { telling, THROWN, timed } from './span-duration.ts'

export type OpenTelemetryOptions = {
  /** The name under which a host's SDK sees the engine. Default: `countersign`. */
  readonly scope?: string
  /** The provider that gets spans. Default: the one that the host has registered with the API. */
  readonly tracerProvider?: TracerProvider
  /** The provider that gets metrics. Default: the one that the host has registered with the API before this call. */
  readonly meterProvider?: MeterProvider
}

/**
 * Telemetry through the OpenTelemetry API: the host's SDK receives it; without an SDK nobody does. The spans of a submit are children of
 * the span that is active when the submit arrives, if the host has registered a context manager.
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
    // The span does not become the active one: work that starts inside it goes on after the span has ended.
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

/** Whether the outcome is a fault of the engine. An error of a caller is no fault, because nobody has to act on it. */
const isFault = (outcome: string): boolean => outcome === THROWN || FAULTS.has(outcome)

/** The codes whose gRPC number is INTERNAL or UNAVAILABLE. */
const FAULTS: ReadonlySet<string> = new Set(
  Object.entries(failureCodes).flatMap(([code, { grpc }]) => (grpc === 13 || grpc === 14 ? [code] : [])),
)

/** Makes each instrument when it is first needed, and keeps it. */
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
