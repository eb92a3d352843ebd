import {
  counters,
  gauges,
  histograms,
  type Attributes,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type Telemetry,
} from '../../core/ports/telemetry.ts'
import { buckets } from './buckets.ts'
import { telling, timed } from './span-duration.ts'

/** Metrics in the text format that Prometheus reads. Of spans, it records only the durations that are also metrics. */
export type Prometheus = {
  readonly telemetry: Telemetry
  /** The page for `GET /metrics`. */
  readonly text: () => string
}

/** The content type of the page. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * The most series of one name. Values that callers choose must not fill the memory, so all further series are counted together, with the
 * label `overflow`.
 */
const SERIES_MAX = 1000
const OVERFLOW = 'overflow="true"'

type Count = { value: number }
type Distribution = { readonly inBucket: number[]; sum: number; count: number }
/** The series of each name, by the text of their labels. */
type Named<N, S> = Map<N, Map<string, S>>

/**
 * Collects metrics in memory, for a Prometheus that reads them.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 * @example
 * const { telemetry, text } = prometheus()
 * const engine = await createEngine({ store, telemetry })
 * const server = httpServer(engine, { metrics: text })
 */
export const prometheus = (): Prometheus => {
  const counted: Named<CounterName, Count> = new Map()
  const recorded: Named<HistogramName, Distribution> = new Map()
  const observed: Named<GaugeName, () => number> = new Map()

  const record: Telemetry['record'] = (name, value, attributes) => {
    if (!Number.isFinite(value)) return
    const bounds = buckets[name]
    const made = (): Distribution => ({ inBucket: bounds.map(() => 0), sum: 0, count: 0 })
    const distribution = seriesOf(recorded, name, attributes, made)
    const bucket = bounds.findIndex((bound) => value <= bound)
    if (bucket >= 0) distribution.inBucket[bucket] = (distribution.inBucket[bucket] ?? 0) + 1
    distribution.sum += value
    distribution.count += 1
  }

  const telemetry: Telemetry = {
    span: (name, _attributes, work, outcome) => telling(work, outcome, timed(record, name)),
    spanSync: (_name, _attributes, work) => work(),
    count: (name, by, attributes) => {
      if (by > 0) seriesOf(counted, name, attributes, () => ({ value: 0 })).value += by
    },
    record,
    observe: (name, attributes, read) => {
      const labels = labelsOf(attributes)
      const readers = entry(observed, name, () => new Map<string, () => number>())
      readers.set(labels, read)
      return () => {
        if (readers.get(labels) === read) readers.delete(labels) // another reader may have replaced it
      }
    },
  }

  return {
    telemetry,
    text: () => [...counterLines(counted), ...histogramLines(recorded), ...gaugeLines(observed)].join(''),
  }
}

const counterLines = (counted: Named<CounterName, Count>): readonly string[] =>
  [...counted].flatMap(([name, series]) => {
    const metric = `${nameOf(name)}_total`
    return [
      headOf(metric, 'counter', counters[name]),
      ...[...series].map(([labels, { value }]) => lineOf(metric, labels, value)),
    ]
  })

const histogramLines = (recorded: Named<HistogramName, Distribution>): readonly string[] =>
  [...recorded].flatMap(([name, series]) => {
    const { unit, description } = histograms[name]
    const metric = `${nameOf(name)}${unit === 's' ? '_seconds' : ''}`
    return [
      headOf(metric, 'histogram', description),
      ...[...series].flatMap(([labels, distribution]) =>
        distributionLines(metric, buckets[name], labels, distribution),
      ),
    ]
  })

/** Each bucket also counts the values of the buckets before it. */
const distributionLines = (
  metric: string,
  bounds: readonly number[],
  labels: string,
  { inBucket, sum, count }: Distribution,
): readonly string[] => {
  let below = 0
  const cumulative = bounds.map((bound, index) => {
    below += inBucket[index] ?? 0
    return lineOf(`${metric}_bucket`, joined(labels, `le="${bound}"`), below)
  })
  return [
    ...cumulative,
    lineOf(`${metric}_bucket`, joined(labels, 'le="+Inf"'), count),
    lineOf(`${metric}_sum`, labels, sum),
    lineOf(`${metric}_count`, labels, count),
  ]
}

const gaugeLines = (observed: Named<GaugeName, () => number>): readonly string[] =>
  [...observed].flatMap(([name, readers]) => [
    headOf(nameOf(name), 'gauge', gauges[name]),
    ...[...readers].map(([labels, read]) => lineOf(nameOf(name), labels, read())),
  ])

const headOf = (metric: string, type: string, help: string): string =>
  `# HELP ${metric} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${metric} ${type}\n`

const lineOf = (metric: string, labels: string, value: number): string =>
  `${metric}${labels === '' ? '' : `{${labels}}`} ${numeral(value)}\n`

const numeral = (value: number): string => (value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value))

const seriesOf = <N, S>(named: Named<N, S>, name: N, attributes: Attributes, make: () => S): S => {
  const series = entry(named, name, () => new Map<string, S>())
  const labels = labelsOf(attributes)
  return entry(series, series.size < SERIES_MAX || series.has(labels) ? labels : OVERFLOW, make)
}

const entry = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

const nameOf = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_]/g, '_')

/** The labels in the order of their names, so that the same labels always give the same series. */
const labelsOf = (attributes: Attributes): string =>
  Object.keys(attributes)
    .toSorted()
    .map((name) => `${nameOf(name)}="${escaped(String(attributes[name]))}"`)
    .join(',')

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const joined = (labels: string, more: string): string => (labels === '' ? more : `${labels},${more}`)
