import type { Context, uvu } from 'uvu'

/*
 * `npm test` has to be quick enough to be run before each commit. Of tests that are alike and take long, it runs one, and of those that wait
 * for seconds none. `npm run test:all` runs all of them, as CI does; it sets `COUNTERSIGN_ALL=1`.
 */
const isAll = process.env['COUNTERSIGN_ALL'] === '1'

type Register = (name: string, test: () => Promise<void>) => void

/** Registers a test that only `npm run test:all` runs. */
export const long =
  (it: uvu.Test<Context>): Register =>
  (name, test) =>
    isAll ? it(name, test) : it.skip(name, test)

/** Registers a test that is run each time if it is the one, and only by `npm run test:all` otherwise. */
export const sampled =
  <A extends string>(it: uvu.Test<Context>, one: A) =>
  (of: A, ...test: Parameters<Register>): void =>
    of === one ? it(...test) : long(it)(...test)
