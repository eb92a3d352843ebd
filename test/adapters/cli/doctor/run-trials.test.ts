import { ok } from 'node:assert/strict'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Checked } from '../../../../adapters/cli/doctor.ts'
import { runTrials, type Scratch, type Trial } from '../../../../adapters/cli/doctor/run-trials.ts'
import { Stop } from '../../../../adapters/cli/stop.ts'
import type { ContractCase } from '../../../../adapters/testing/index.ts'

const it = suite('doctor: trials')

const promise = (number: string, run: () => Promise<void> = async () => {}): ContractCase => ({
  number,
  name: 'keeps it',
  tags: [],
  run,
})
const checksOf = async (scratch: Scratch): Promise<readonly Checked[]> => {
  const checks: Checked[] = []
  await runTrials(scratch, (checked) => void checks.push(checked))
  return checks
}
const trial = (run: () => Promise<void>): Trial => ({ check: 'trial', found: 'it held', advice: 'do this', run })
const failing = async (): Promise<void> => ok(false, 'it did not hold')

it('tells which promises are broken, and what did not hold', async () => {
  const left = { ...promise('3'), leftOut: 'no such thing' }
  const contract = [promise('1'), promise('2', failing), left]
  const secret = async (): Promise<void> => Promise.reject(new Error('hunter2'))
  const trials = [trial(async () => {}), trial(failing), trial(secret)]
  let removed = 0
  const remove = async () => {
    removed += 1
    return []
  }
  const checks = await checksOf({ contract, trials, remove })
  assert.equal(
    checks.map(({ state, found }) => [state, found]),
    [
      ['wrong', '1 promise of the contract kept, 1 not meant for this store, 1 broken: 2 keeps it'],
      ['ok', 'it held'],
      ['wrong', 'it did not hold'],
      ['wrong', 'it failed in an unexpected way'],
    ],
  )
  assert.is(removed, 1)
})

it('removes what was made when it is stopped, and says what could not be removed', async () => {
  let removed = 0
  const remove = async () => {
    removed += 1
    return ['this']
  }
  const stopping = trial(async () => Promise.reject(new Stop(130, 'stopped')))
  await checksOf({ contract: [], trials: [stopping], remove }).then(
    () => assert.unreachable(),
    (error: unknown) => assert.ok(error instanceof Stop),
  )
  assert.is(removed, 1)
  const checks = await checksOf({ contract: [promise('1')], trials: [], remove })
  assert.equal(
    checks.map(({ check, state }) => [check, state]),
    [
      ['contract', 'ok'],
      ['scratch', 'warning'],
    ],
  )
})

it.run()
