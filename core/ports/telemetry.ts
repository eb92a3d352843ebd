/**
 * Gets the spans and metrics of an engine. An engine without telemetry measures nothing. Attributes never contain data of a request:
 * no bodies, no stamps, no keys. They may contain its id.
 */
export interface Telemetry {
  /**
   * Runs `work` inside a span, which ends when the work ends. The span's outcome is `ok`, or the code of a failure.
   *
   * @param outcome  reads the outcome from the result of the work
   */
  readonly span: <A>(
    name: SpanName,
    attributes: Attributes,
    work: () => Promise<A>,
    outcome: (result: A) => string,
  ) => Promise<A>
  /** Like `span`, for synchronous work without inner spans. */
  readonly spanSync: <A>(name: SpanName, attributes: Attributes, work: () => A, outcome: (result: A) => string) => A
  /** Adds to a counter. */
  readonly count: (name: CounterName, by: number, attributes: Attributes) => void
  /** Records one value of a distribution. */
  readonly record: (name: HistogramName, value: number, attributes: Attributes) => void
  /** Calls `read` whenever the metrics are collected. Returns a function that stops it. */
  readonly observe: (name: GaugeName, attributes: Attributes, read: () => number) => () => void
}

export type Attributes = { readonly [name: string]: string | number }

export type SpanName = keyof typeof spans
export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
export type GaugeName = keyof typeof gauges

/** Every span: a request as a whole, and its parts. */
export const spans = {
  'countersign.submit':
    'A submit, from its arrival to its answer; `path` is its route, `requestId` the id of the request.',
  'countersign.query':
    'A query, from its arrival to its answer; `path` is its route, `requestId` the id of the request.',
  'countersign.verify': 'The check of a signature; `scheme` is how it was made.',
  'countersign.decide': 'One turn on the state of the organization; after a conflict there is another turn.',
  'countersign.perform':
    'One attempt at work that computes or waits; `type` is the operation, `attempt` is 1 for the first attempt.',
  'countersign.append': 'The append of a group of commits; `commits` is their number.',
} as const

/** Every counter, with what it counts. */
export const counters = {
  'countersign.requests': 'Requests, by kind, path and outcome.',
  'countersign.decisions': 'Decisions that were committed, by outcome and rule.',
  'countersign.attempts': 'Attempts at work that computes or waits, by the type of the operation.',
  'countersign.attempt_failures':
    'Attempts that failed, by type and code; `THROWN` if the code of the host threw. Attempts that the closing engine aborted are not counted.',
  'countersign.conflicts': 'Commits that the store refused, so that their commands were decided again.',
  'countersign.store.rewinds':
    'Organizations of which the store did not have events any more that were durable: it may have been put back.',
} as const

/** Spans whose duration is also a distribution: adapters record it when the span ends. */
export const spanDurations: { readonly [name in SpanName]?: HistogramName } = {
  'countersign.submit': 'countersign.request.duration',
  'countersign.query': 'countersign.request.duration',
  'countersign.append': 'countersign.append.duration',
}

/** Every distribution, with its unit. */
export const histograms = {
  'countersign.request.duration': { unit: 's', description: 'Time from the arrival of a request to its answer.' },
  'countersign.append.group': { unit: '{commit}', description: 'Commits in a group that was appended at once.' },
  'countersign.append.duration': { unit: 's', description: 'Time that a group took to become durable.' },
} as const

/** Every value that is read when the metrics are collected. */
export const gauges = {
  'countersign.projection.lag': 'Events that are durable and not yet in the rows, by projection.',
  'countersign.projection.parked':
    'Organizations whose events are held back, because the projection threw, by projection.',
  'countersign.activities.waiting':
    'Activities of all organizations that wait, by `for`: `approval`, or `effect` outside. Every process on a store shows all of them.',
  'countersign.store.writable': '1, or 0 since the store refused a write into the log, until it takes writes again.',
} as const
