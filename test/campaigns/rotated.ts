import type { Context, uvu } from 'uvu'
import { sampled } from '../long.ts'
import { numberOfCommit } from './of-commit.ts'

/**
 * As `sampled`, for tests that kill and stop servers: of the others, `npm run test:all` runs every second one, by the number of the commit. All
 * of them run with `--harnesses`, each night.
 */
export const rotated = <A extends string>(it: uvu.Test<Context>, one: A): ReturnType<typeof sampled<A>> => {
  const register = sampled(it, one)
  const isRotating = process.env['COUNTERSIGN_ALL'] === '1' && process.env['COUNTERSIGN_HARNESSES'] !== '1'
  let turn = isRotating ? numberOfCommit() : 0
  return (of, ...test) => {
    turn += 1
    if (isRotating && of !== one && turn % 2 === 0) it.skip(test[0])
    else register(of, ...test)
  }
}
