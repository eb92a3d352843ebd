/** The page of telemetry: what the port names, and what becomes of the names in the text format. */
import { prometheus } from '../../../adapters/telemetry/prometheus.ts'
import {
  counters,
  gauges,
  histograms,
  spanDurations,
  spans,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type SpanName,
} from '../../../core/ports/telemetry.ts'
import { page, table } from './shape-table.ts'

/** The names that Prometheus gets, in the order of the tables: read from a page that has one of each. */
const written = (): readonly string[] => {
  const { telemetry, text } = prometheus()
  for (const name of namesOf<CounterName>(counters)) telemetry.count(name, 1, {})
  for (const name of namesOf<HistogramName>(histograms)) telemetry.record(name, 1, {})
  for (const name of namesOf<GaugeName>(gauges)) telemetry.observe(name, {}, () => 1)
  return [...text().matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
}

const namesOf = <N extends string>(named: { readonly [name in N]: unknown }): readonly N[] => Object.keys(named) as N[] // its own

export const telemetryPage = (): string => {
  const numbers = [
    ...Object.entries(counters).map(([name, meaning]) => [name, 'counter', '', meaning]),
    ...Object.entries(histograms).map(([name, { unit, description }]) => [name, 'histogram', unit, description]),
    ...Object.entries(gauges).map(([name, meaning]) => [name, 'gauge', '', meaning]),
  ]
  const forPrometheus = written()
  return page(
    'Telemetry',
    'This page lists every span and every metric of an engine.',
    '[Observe](../how-to/observe.md) says how to collect them. Attributes contain paths, types, codes, counts and ids of requests, and no data of requests.',
    '## Spans',
    `Each span ends with the attribute \`outcome\`: \`ok\`, the code of a [failure](failures.md), or \`thrown\` for a bug.`,
    table(
      ['span', 'what it is', 'its duration is also in'],
      namesOf<SpanName>(spans).map((name) => [`\`${name}\``, spans[name], durationOf(name)]),
    ),
    '## Metrics',
    table(
      ['name', 'in Prometheus', 'kind', 'unit', 'what it measures'],
      numbers.map(([name = '', kind = '', unit = '', meaning = ''], index) => [
        `\`${name}\``,
        `\`${forPrometheus[index] ?? ''}\``,
        kind,
        unit === 's' ? 'seconds' : unit.replaceAll(/[{}]/g, ''),
        meaning,
      ]),
    ),
    'Durations have the attribute `outcome`. Durations of requests also have `kind`: `submit` or `query`.',
    '## Limits of this page',
    'The page does not say which data is kept: the SDK of the host can change sampling and buckets.',
  )
}

const durationOf = (name: SpanName): string => {
  const histogram = spanDurations[name]
  return histogram === undefined ? '' : `\`${histogram}\``
}
