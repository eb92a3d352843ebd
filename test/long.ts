import type { Context, uvu } from 'uvu'

/*
 * The whole suite has to be quick enough to be run before each commit. Of tests that are alike and take long, it runs one; all of them run where
 * `COUNTERSIGN_LONG=1` is set, as CI does once.
 */
const isLong = process.env['COUNTERSIGN_LONG'] === '1'

/** Registers the test of the one case that is run each time; the others are skipped unless `COUNTERSIGN_LONG=1` is set. */
export const sampled =
  <A extends string>(it: uvu.Test<Context>, one: A) =>
  (of: A, name: string, test: () => Promise<void>): void => {
    if (isLong || of === one) it(name, test)
    else it.skip(name, test)
  }
