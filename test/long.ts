import type { Context, uvu } from 'uvu'

/*
 * The whole suite has to be quick enough to be run before each commit. Of tests that are alike and take long, it runs one, and of those that wait
 * for seconds none. `npm run test:long` runs all of them, as CI does; it sets `COUNTERSIGN_LONG=1`.
 */
const isLong = process.env['COUNTERSIGN_LONG'] === '1'

type Register = (name: string, test: () => Promise<void>) => void

/** Registers a test that `npm run test:long` runs: of each file that imports this one, all tests. */
export const long =
  (it: uvu.Test<Context>): Register =>
  (name, test) =>
    isLong ? it(name, test) : it.skip(name, test)

/** Registers a test that is run each time if it is the one, and only by `npm run test:long` otherwise. */
export const sampled =
  <A extends string>(it: uvu.Test<Context>, one: A) =>
  (of: A, ...test: Parameters<Register>): void =>
    of === one ? it(...test) : long(it)(...test)
