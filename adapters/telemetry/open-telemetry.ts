import { metrics, SpanStatusCode, trace, type Counter, type Histogram, type Span } from '@opentelemetry/api'
import {
  counters,
  gauges,
  histograms,
  type Attributes,
  type CounterName,
  type HistogramName,
  type Telemetry,
} from '../../core/ports/telemetry.ts'

export type OpenTelemetryOptions = {
  /** The name under which a host's SDK sees the engine. Default: `countersign`. */
  readonly scope?: string
}

/**
 * Telemetry through the OpenTelemetry API: whatever SDK the host has registered receives it, and without one it goes
 * nowhere. The spans of a submit are children of the span that is active when it arrives.
 */
export const openTelemetry = ({ scope = 'countersign' }: OpenTelemetryOptions = {}): Telemetry => {
  const tracer = trace.getTracer(scope)
  const meter = metrics.getMeter(scope)
  const counterOf = lazily((name: CounterName): Counter => meter.createCounter(name, { description: counters[name] }))
  const histogramOf = lazily((name: HistogramName): Histogram => meter.createHistogram(name, histograms[name]))

  const finish = (span: Span, outcome: string): void => {
    span.setAttribute('countersign.outcome', outcome)
    if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome })
    span.end()
  }
  const crash = (span: Span, cause: unknown): never => {
    finish(span, 'thrown')
    throw cause
  }

  return {
    span: (name, attributes, work, outcome) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
        try {
          const result = await work()
          finish(span, outcome(result))
          return result
        } catch (cause) {
          return crash(span, cause)
        }
      }),
    spanSync: (name, attributes, work, outcome) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, (span) => {
        try {
          const result = work()
          finish(span, outcome(result))
          return result
        } catch (cause) {
          return crash(span, cause)
        }
      }),
    count: (name, by, attributes) => counterOf(name).add(by, { ...attributes }),
    record: (name, value, attributes) => histogramOf(name).record(value, { ...attributes }),
    observe: (name, attributes: Attributes, read) => {
      const gauge = meter.createObservableGauge(name, { description: gauges[name] })
      const callback: Parameters<typeof gauge.addCallback>[0] = (result) => result.observe(read(), { ...attributes })
      gauge.addCallback(callback)
      return () => gauge.removeCallback(callback)
    },
  }
}

const lazily = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, V>()
  return (key) => {
    const found = made.get(key)
    if (found !== undefined) return found
    const value = make(key)
    made.set(key, value)
    return value
  }
}
