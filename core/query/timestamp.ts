import type { Timestamps } from './query.ts'

/** A time as the wire's objects carry it: two strings. */
export type Timestamp = { readonly seconds: string; readonly nanos: string }

export const timestamp = (atMs: number): Timestamp => ({
  seconds: String(Math.floor(atMs / 1000)),
  nanos: String((((atMs % 1000) + 1000) % 1000) * 1_000_000),
})

export const timestampAs = (timestamps: Timestamps, atMs: number): Timestamp | string =>
  timestamps === 'object' ? timestamp(atMs) : new Date(atMs).toISOString()
