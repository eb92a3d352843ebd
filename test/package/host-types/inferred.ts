/** The types that a host gets: the compiler refuses this file if one of them is another than what is written here. */
import { operation, port, projection, query, refuse, resource, state, t } from 'countersign'
import type { Client, Failure, Organization } from 'countersign'
import { createUserTag } from 'countersign/api'
import {
  completed,
  decode,
  decodes,
  events,
  limits,
  VERIFICATION_KEYS,
  type Attestations,
  type PortsFor,
  type VerificationKeys,
} from 'countersign/define'
import type { E } from 'countersign/fp'
import { auditLog } from 'countersign/audit'

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false
/** Compiles if the value has just the type `A`. */
const is =
  <A>() =>
  <B>(_value: B, ..._same: Same<A, B> extends true ? [] : [never]): void =>
    undefined

// Codecs

const Line = t.fields({ cents: t.number }, { note: t.string })
type Line = t.TypeOf<typeof Line>
export const line = (value: Line): void => is<{ cents: number; note?: string | undefined }>()(value)
export const read = decode(t.list(Line), 'lines')
is<(input: unknown) => E.Either<Failure, Line[]>>()(read)

// State

const lines = state({ name: 'lines', version: 1, codec: t.mapOf(Line), initial: () => new Map() })
export const states = (organization: Organization): void =>
  is<ReadonlyMap<string, { readonly cents: number; readonly note?: string | undefined }>>()(lines.of(organization))

export const counted = limits({ lines: { default: 20, about: 'Per organization.' } })
is<number>()(counted.of({ limits: {} }).lines)

// Operations: intents, results, changes, failures, ports

type Bank = { readonly pay: (cents: number) => Promise<string> }

export const book = operation({
  type: 'ACTIVITY_TYPE_BOOK',
  path: 'book',
  summary: 'Books a line.',
  intent: Line,
  result: t.fields({ paymentId: t.string }),
  change: t.fields({ cents: t.number, paymentId: t.string }),
  inspect: (intent) => {
    is<Line>()(intent)
    return { isLarge: intent.cents > 100 }
  },
  params: (intent, inspected) => {
    is<{ isLarge: boolean }>()(inspected)
    return { cents: intent.cents }
  },
  check: ({ cents }, { performed }) => {
    is<undefined>()(performed)
    if (cents < 0) throw refuse('REQUEST_INVALID', 'expected more')
    return { amount: cents }
  },
  perform: {
    outside: true,
    needs: { bank: port<Bank>() },
    resumeAfterMs: 1,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: t.fields({ paymentId: t.string }),
    run: async (checked, { ports }) => {
      is<{ amount: number }>()(checked)
      is<Bank>()(ports.bank)
      return { paymentId: await ports.bank.pay(checked.amount) }
    },
  },
  verify: async (performed, intent, checked) => {
    is<{ paymentId: string }>()(performed)
    is<Line>()(intent)
    is<{ amount: number }>()(checked)
    return true
  },
  execute: ({ cents }, { performed: { paymentId }, inspected }) => {
    is<{ isLarge: boolean }>()(inspected)
    return { result: { paymentId }, change: { cents, paymentId } }
  },
  evolve: (draft, change) => {
    is<{ cents: number; paymentId: string }>()(change)
    is<Map<string, Line>>()(lines.in(draft))
  },
})
is<'book'>()(book.path)
type Types<O extends { readonly types?: unknown }> = NonNullable<O['types']>
export const shown = ({ intent, result, change, needs }: Types<typeof book>): void => {
  is<Line>()(intent)
  is<{ paymentId: string }>()(result)
  is<{ cents: number; paymentId: string }>()(change)
  is<Bank>()(needs.bank)
}
export const builtIn = ({ intent, result }: Types<typeof createUserTag>): void => {
  is<{ userTagName: string; userIds: string[] }>()(intent)
  is<string>()(result.userTagId)
}

type Rates = { readonly of: (currency: string) => number }

/** Services for `inspect`: the host gives its own, and the engine has the others. */
export const convert = operation({
  type: 'ACTIVITY_TYPE_CONVERT',
  path: 'convert',
  summary: 'Converts an amount.',
  intent: Line,
  result: t.fields({ cents: t.number }),
  change: t.fields({}),
  inspectNeeds: {
    rates: port<Rates>(),
    attestations: port<Attestations>(),
    [VERIFICATION_KEYS]: port<VerificationKeys>(),
  },
  inspect: ({ cents }, { ports }) => {
    is<Rates>()(ports.rates)
    is<VerificationKeys>()(ports[VERIFICATION_KEYS])
    return cents * ports.rates.of('EUR')
  },
  execute: (_, { inspected }) => ({ result: { cents: inspected }, change: {} }),
  evolve: () => undefined,
})

/** Members that another way of writing them gives are members all the same. */
export const otherWays = operation({
  type: 'ACTIVITY_TYPE_OTHER_WAYS',
  path: 'other_ways',
  summary: 'Books lines, in many ways.',
  intent: t.fields({ lines: t.array(Line) }),
  result: t.union([t.strict({ count: t.number }), t.strict({ reason: t.string })]),
  change: t.fields({ lines: t.readonlyArray(Line), by: t.record(t.string, t.number) }, { bytes: t.unknown }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_OTHER_WAYS_V0',
      ...decodes(Line, (one) => ({ lines: [one] })),
    },
  ],
  execute: ({ lines: given }, { atMs }) => {
    const by: Readonly<Record<string, number>> = { now: atMs }
    if (given.length === 0) return { result: { reason: 'nothing' }, change: { lines: [], by } }
    const lines = given.map(({ cents }) => ({ cents, note: undefined }))
    return { result: { count: 1 }, change: { lines, by: { ...by }, bytes: new Uint8Array() }, parts: {} }
  },
  evolve: () => undefined,
})

const Colour = t.keyof({ RED: null, BLUE: null })

/** Literals need no `as const`, and lists may be read-only: in results, changes, the values of work, and answers. */
export const literals = operation({
  type: 'ACTIVITY_TYPE_LITERALS',
  path: 'literals',
  summary: 'Gives literals.',
  intent: t.fields({}),
  result: t.fields({ colour: Colour }),
  change: t.fields({ colours: t.array(Colour), lines: t.array(Line) }),
  perform: {
    outside: false,
    resumeAfterMs: 1,
    attemptsMax: 1,
    whenInterrupted: 'retry',
    performed: t.fields({ colour: Colour }),
    run: async () => ({ colour: 'RED' }),
  },
  execute: (_, { performed: { colour } }) => {
    const lines: readonly Line[] = []
    return { result: { colour: 'BLUE' }, change: { colours: ['RED', colour], lines } }
  },
  evolve: (_, { colours }) => is<('RED' | 'BLUE')[]>()(colours),
})

export const literalAnswer = query({
  path: 'literal_answer',
  summary: 'Answers with a literal.',
  request: t.fields({}),
  answer: t.fields({ colour: Colour, lines: t.array(Line) }),
  run: () => ({ colour: 'BLUE', lines: [] }),
})

/** One row for each activity. */
export const booked = projection({
  name: 'booked',
  version: 1,
  of: book,
  row: t.fields({ cents: t.number, paymentId: t.string, at: t.number }),
  from: (change, { result, atMs }) => {
    is<{ cents: number; paymentId: string }>()(change)
    is<{ paymentId: string }>()(result)
    return { ...change, at: atMs }
  },
})

/** A host may make operations by a function of its own. */
export const anyOperation = <C>(codec: t.Type<C, unknown>, change: C) =>
  operation({
    type: 'ACTIVITY_TYPE_ANY',
    path: 'any',
    summary: 'Makes any change.',
    intent: t.fields({}),
    result: t.fields({}),
    change: codec,
    execute: () => ({ result: {}, change }),
    evolve: () => undefined,
  })

// Ports of an engine

export const books = resource({ name: 'books', operations: [book] })
export const ports = (given: PortsFor<readonly [typeof books]>): void => is<Bank>()(given.ports.bank)
export const converting = resource({ name: 'converting', operations: [book, convert] })
export const inspecting = ({ ports: given }: PortsFor<readonly [typeof converting]>): void => {
  is<Bank>()(given.bank)
  is<Rates>()(given.rates)
  is<unknown>()(given['attestations'])
}

// Projections and queries

export const paid = projection({
  name: 'paid',
  version: 1,
  row: t.number,
  on: [
    completed(book, (change, { result, organization, sequence, revision }) => {
      is<{ cents: number; paymentId: string }>()(change)
      is<{ paymentId: string }>()(result)
      is<number>()(revision)
      return [{ _tag: 'put', organization, key: result.paymentId, order: sequence, facets: {}, value: change.cents }]
    }),
    events(['ActivityFailed', 'ActivityVoted'], ({ type, data }) => {
      is<'ActivityFailed' | 'ActivityVoted'>()(type)
      return 'failure' in data ? [] : []
    }),
  ],
})

export const listPaid = query({
  path: 'list_paid',
  summary: 'Lists what was paid.',
  request: t.fields({ organizationId: t.string }, { limit: t.number }),
  answer: t.fields({ paid: t.readonlyArray(t.number) }),
  run: async (request, { rows }) => {
    is<{ organizationId: string; limit?: number | undefined }>()(request)
    const found = await rows(paid, { limit: request.limit ?? 10 })
    is<readonly number[]>()(found)
    return { paid: found }
  },
})
is<'list_paid'>()(listPaid.path)
export const answered = (read: typeof listPaid): void =>
  is<t.Decoder<unknown, { paid: readonly number[] }>>()(read.codecs.answer)

// The client

export const submitted = async (ada: Client): Promise<void> => {
  const done = await ada.submit(book, { cents: 5 })
  if (done.status === 'completed') is<{ paymentId: string }>()(done.result)
  else if (done.status === 'failed') is<Failure>()(done.failure)
  else is<undefined>()(done.result)
  const tried = await ada.try(createUserTag, { userTagName: 'officers', userIds: [] })
  if (!tried.ok) is<Failure>()(tried.failure)
  else if (tried.status === 'completed') is<string>()(tried.result.userTagId)
  is<{ paid: readonly number[] }>()(await ada.query(listPaid, { limit: 5 }))
}

// Audits

export const audited = async (text: Iterable<Uint8Array>): Promise<void> => {
  const { toJSON } = await auditLog(text)
  is<string | undefined>()(toJSON().organizations[0]?.sequence)
}
