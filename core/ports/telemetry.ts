/**
 * Where an engine tells what it does: spans and numbers. An engine without telemetry measures nothing at all. Attributes
 * never carry what a request carried: no bodies, no stamps, no keys.
 */
export interface Telemetry {
  /**
   * Runs `work` inside a span, which ends when the work does. The outcome says how it ended: `ok`, or a failure's code.
   *
   * @param outcome  reads it from what the work gave
   */
  readonly span: <A>(
    name: SpanName,
    attributes: Attributes,
    work: () => Promise<A>,
    outcome: (result: A) => string,
  ) => Promise<A>
  /** As `span`, for work that does not wait and has no parts. */
  readonly spanSync: <A>(name: SpanName, attributes: Attributes, work: () => A, outcome: (result: A) => string) => A
  /** Adds to a counter. */
  readonly count: (name: CounterName, by: number, attributes: Attributes) => void
  /** Notes one value of a distribution. */
  readonly record: (name: HistogramName, value: number, attributes: Attributes) => void
  /** Has a value read whenever the numbers are looked at. Returns the way to stop. */
  readonly observe: (name: GaugeName, attributes: Attributes, read: () => number) => () => void
}

export type Attributes = { readonly [name: string]: string | number }

export type SpanName = keyof typeof spans
export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
export type GaugeName = keyof typeof gauges

/** Every span: a request as a whole, and its parts. */
export const spans = {
  'countersign.submit': 'A submit, from its arrival to its answer; `path` says of what.',
  'countersign.query': 'A query, likewise.',
  'countersign.verify': 'The check of a signature; `curve` says of which kind.',
  'countersign.decide': 'One turn on the state of the organization; a conflict leads to another.',
  'countersign.perform':
    'One attempt at work that computes or waits; `type` says for which operation, `attempt` is 1 for the first.',
  'countersign.append': 'The append of a group of commits; `commits` says how many they are.',
} as const

/** Every counter, with what it counts. */
export const counters = {
  'countersign.requests': 'Requests, by kind, path and outcome.',
  'countersign.decisions': 'Decisions that were committed, by outcome and rule.',
  'countersign.conflicts': 'Commits that the store refused, so that they were decided anew.',
} as const

/** Spans whose length is a distribution, too: adapters note it when the span ends. */
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

/** Every value that is read when somebody looks. */
export const gauges = {
  'countersign.projection.lag': 'Events that are durable and not yet in the rows, by projection.',
} as const
