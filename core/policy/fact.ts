import type { Json } from '../failure.ts'
import { once } from '../collections/once.ts'

/** A value that policies read: JSON without null, whose numbers may also be of any size, as `bigint`. */
export type Fact = boolean | number | bigint | string | readonly Fact[] | { readonly [name: string]: Fact }

/** Facts of resources, by keyword. A function gives a value that takes long to find. */
export type ResourceFacts = Readonly<Record<string, Json | Fact | (() => Fact)>>

/** The facts with functions that find their values once, however often they are called. */
export const onceEach = (facts: ResourceFacts): ResourceFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'function' ? once(fact) : fact]),
  )

/** The facts beside others, with a getter in place of each function: what no expression reads is not looked for. */
export const readable = <F extends object>(facts: ResourceFacts, others: F): F => {
  const all = { ...others }
  for (const [name, fact] of Object.entries(facts)) {
    const how = typeof fact === 'function' ? { get: fact } : { value: fact }
    if (!Object.hasOwn(others, name)) Object.defineProperty(all, name, { enumerable: true, ...how })
  }
  return all
}
