import * as t from 'io-ts'
import { refined } from './codec.ts'
import { described, named } from './described.ts'
import { fields } from './fields.ts'

/** A time as an object of two strings, as the wire has it. */
export const Timestamp = named(
  'Timestamp',
  fields({
    seconds: described(t.string, 'whole seconds since the epoch'),
    nanos: described(t.string, 'the rest of the time, in nanoseconds'),
  }),
)
export type Timestamp = t.TypeOf<typeof Timestamp>

/** A time as text, in RFC 3339. */
export const DateTime = refined(t.string, 'a time in RFC 3339', (text) => DATE_TIME.test(text))
const DATE_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z$/

export const timestamp = (atMs: number): Timestamp => ({
  seconds: String(Math.floor(atMs / 1000)),
  nanos: String((((atMs % 1000) + 1000) % 1000) * 1_000_000),
})

/** The milliseconds since the epoch. */
export const millisOf = ({ seconds, nanos }: Timestamp): number => Number(seconds) * 1000 + Number(nanos) / 1_000_000

export const dateTime = (atMs: number): string => new Date(atMs).toISOString()
