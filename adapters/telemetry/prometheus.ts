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

/** Numbers in the text format that Prometheus reads. Spans are only timed where a number asks for it. */
export type Prometheus = {
  readonly telemetry: Telemetry
  /** The page for `GET /metrics`. */
  readonly text: () => string
}

/** The type of the page. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const BUCKETS: Readonly<Record<HistogramName, readonly number[]>> = {
  'countersign.request.duration': [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  'countersign.append.group': [1, 2, 4, 8, 16, 32, 64, 128, 256],
  'countersign.append.duration': [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
}

type Series = { readonly labels: string; value: number }
type Distribution = { readonly labels: string; readonly buckets: number[]; sum: number; count: number }

/** @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const prometheus = (): Prometheus => {
  const counted = new Map<CounterName, Map<string, Series>>()
  const recorded = new Map<HistogramName, Map<string, Distribution>>()
  const observed = new Map<GaugeName, Map<string, () => number>>()

  const telemetry: Telemetry = {
    span: (_name, _attributes, work) => work(),
    spanSync: (_name, _attributes, work) => work(),
    count: (name, by, attributes) => {
      const labels = labelsOf(attributes)
      const series = entry(
        entry(counted, name, () => new Map<string, Series>()),
        labels,
        () => ({ labels, value: 0 }),
      )
      series.value += by
    },
    record: (name, value, attributes) => {
      const labels = labelsOf(attributes)
      const bounds = BUCKETS[name]
      const made = (): Distribution => ({ labels, buckets: bounds.map(() => 0), sum: 0, count: 0 })
      const distribution = entry(
        entry(recorded, name, () => new Map<string, Distribution>()),
        labels,
        made,
      )
      distribution.sum += value
      distribution.count += 1
      const bucket = bounds.findIndex((bound) => value <= bound)
      if (bucket >= 0) distribution.buckets[bucket] = (distribution.buckets[bucket] ?? 0) + 1
    },
    observe: (name, attributes, read) => {
      const labels = labelsOf(attributes)
      const readers = entry(observed, name, () => new Map<string, () => number>())
      readers.set(labels, read)
      return () => void readers.delete(labels)
    },
  }

  const text = (): string => {
    const lines: string[] = []
    for (const [name, series] of counted) {
      const metric = `${nameOf(name)}_total`
      lines.push(`# HELP ${metric} ${counters[name]}`, `# TYPE ${metric} counter`)
      for (const { labels, value } of series.values()) lines.push(`${metric}${braced(labels)} ${value}`)
    }
    for (const [name, distributions] of recorded) {
      const metric = `${nameOf(name)}${histograms[name].unit === 's' ? '_seconds' : ''}`
      lines.push(`# HELP ${metric} ${histograms[name].description}`, `# TYPE ${metric} histogram`)
      for (const distribution of distributions.values())
        lines.push(...distributionLines(metric, BUCKETS[name], distribution))
    }
    for (const [name, readers] of observed) {
      lines.push(`# HELP ${nameOf(name)} ${gauges[name]}`, `# TYPE ${nameOf(name)} gauge`)
      for (const [labels, read] of readers) lines.push(`${nameOf(name)}${braced(labels)} ${read()}`)
    }
    return `${lines.join('\n')}\n`
  }

  return { telemetry, text }
}

const distributionLines = (
  metric: string,
  bounds: readonly number[],
  { labels, buckets, sum, count }: Distribution,
): readonly string[] => {
  let below = 0
  const cumulative = bounds.map((bound, index) => {
    below += buckets[index] ?? 0
    return `${metric}_bucket${braced(joined(labels, `le="${bound}"`))} ${below}`
  })
  return [
    ...cumulative,
    `${metric}_bucket${braced(joined(labels, 'le="+Inf"'))} ${count}`,
    `${metric}_sum${braced(labels)} ${sum}`,
    `${metric}_count${braced(labels)} ${count}`,
  ]
}

const entry = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

const nameOf = (name: string): string => name.replaceAll('.', '_')

const labelsOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${nameOf(name)}="${escaped(String(value))}"`)
    .join(',')

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const joined = (labels: string, more: string): string => (labels === '' ? more : `${labels},${more}`)

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`)
