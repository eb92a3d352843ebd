/**
 * The tests of all harnesses, and the long campaigns, one after the other. It goes on after a failure, and says in the end what failed. The time
 * limit is the caller's, such as `timeout 6h npm run nightly`.
 */
import { spawnSync } from 'node:child_process'
import { numberOfCommit } from './of-commit.ts'

/** Other seeds each night, which the campaigns print. */
const seed = String(numberOfCommit() + Math.floor(Date.now() / 86_400_000))

const steps: readonly (readonly string[])[] = [
  ['test/run.ts', '--all', '--harnesses'],
  ['test/campaigns/crash/run.ts', '--rounds', '60', '--per-point', '6', '--seed', seed],
  ['test/campaigns/crash/run.ts', '--erasures', '30', '--seed', seed],
  ['test/campaigns/crash/run.ts', '--store', 'postgres', '--seed', seed],
  ['test/campaigns/crash/run.ts', '--store', 'postgres', '--votes', '10000', '--seed', seed],
  ['test/campaigns/crash/run.ts', '--store', 'postgres', '--freeze', '--seed', seed],
  ['test/campaigns/crash/run.ts', '--store', 'eventstoredb', '--rounds', '20', '--seed', seed],
  ['test/campaigns/crash/run.ts', '--store', 'eventstoredb', '--freeze', '--seed', seed],
  ['test/campaigns/simulate/run.ts', '--seeds', '1000', '--first', seed],
  ['test/campaigns/forge/run.ts', '--cases', '1000', '--honest', '2', '--first', seed],
  ['test/campaigns/fuzz/run.ts', '--requests', '20000', '--seed', seed],
  ['test/campaigns/attack/run.ts', '--rounds', '50'],
  ['test/campaigns/load/soak.ts', '--seed', seed],
  ['test/campaigns/load/soak.ts', '--connections', '960', '--wait-max', '20', '--requests', '50000', '--seed', seed],
  ['test/campaigns/mutants/run.ts', '--known'],
]

const failed: string[] = []
for (const step of steps) {
  const name = step.join(' ')
  console.log(`\n== ${name}`)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', ...step], { stdio: 'inherit' })
  if (status !== 0) failed.push(name)
}
console.log()
for (const name of failed) console.log(`FAILED: ${name}`)
console.log(`${steps.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1
