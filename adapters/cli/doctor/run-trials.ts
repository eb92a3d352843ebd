import { AssertionError } from 'node:assert/strict'
import { countOf } from '../../inbox/amounts.ts'
import type { Checked } from '../doctor.ts'
import { interruption } from '../interruption.ts'
import { say } from '../print.ts'
import { progressBar } from '../progress.ts'
import { Stop } from '../stop.ts'
import { resultOf, type ContractCase } from '../../testing/index.ts'
import { endChildren } from './trial-child.ts'

/** One thing to try in a scratch store. */
export type Trial = {
  readonly check: string
  /** What is true if it succeeds. */
  readonly found: string
  readonly advice: string
  /** Rejects if it does not succeed. */
  readonly run: () => Promise<void>
}

/** A place for scratch stores. */
export type Scratch = {
  readonly trials: readonly Trial[]
  readonly contract: readonly ContractCase[]
  /** Removes everything that was made, also after a failure. Gives the names of what could not be removed. */
  readonly remove: () => Promise<readonly string[]>
}

/** A trial that takes so long does not end any more. */
const TRIAL_MS = 120_000

/** Takes the result of a check as soon as it is there. */
export type OnChecked = (checked: Checked) => void

/** Runs the contract and the trials, one behind the other, and removes what they have made, also after a signal. */
export const runTrials = async ({ trials, contract, remove }: Scratch, onChecked: OnChecked): Promise<void> => {
  const signals = interruption()
  const progress = await progressBar(BigInt(contract.length + trials.length), 0n, 'trials')
  let done = 0
  const next = (): void => {
    signals.check()
    progress.passed(BigInt((done += 1)))
  }
  let isDone = false
  try {
    onChecked(await contractCheck(contract, next))
    for (const trial of trials) {
      const checked = await tried(trial)
      next()
      onChecked(checked)
    }
    isDone = true
  } finally {
    progress.end()
    endChildren()
    const left = await remove()
    signals.end()
    if (left.length > 0 && isDone) onChecked(leftCheck(left))
    else if (left.length > 0) say(`could not be removed: ${left.join(', ')}`) // nobody will see the checks
  }
}

const leftCheck = (left: readonly string[]): Checked => ({
  check: 'scratch',
  state: 'warning',
  found: `could not be removed: ${left.join(', ')}`,
  advice: 'remove it by hand',
})

const contractCheck = async (cases: readonly ContractCase[], next: () => void): Promise<Checked> => {
  const broken: string[] = []
  let kept = 0
  for (const one of cases) {
    const { outcome } = await resultOf({ ...one, run: () => inTime(one.run) })
    next()
    if (outcome === 'broken') broken.push(`${one.number} ${one.name}`)
    else if (outcome === 'kept') kept += 1
  }
  const leftOut = cases.length - kept - broken.length
  const found = `${countOf(kept, 'promise')} of the contract kept${leftOut === 0 ? '' : `, ${leftOut} not meant for this store`}`
  if (broken.length === 0) return { check: 'contract', state: 'ok', found }
  return {
    check: 'contract',
    state: 'wrong',
    found: `${found}, ${broken.length} broken: ${broken.join('; ')}`,
    advice: 'do not use this database before it is known why',
  }
}

/** Runs one trial. */
export const tried = async ({ check, found, advice, run }: Trial): Promise<Checked> => {
  try {
    await inTime(run)
    return { check, state: 'ok', found }
  } catch (error) {
    if (error instanceof Stop) throw error
    return { check, state: 'wrong', found: reasonOf(error), advice }
  }
}

/** Texts of the driver or the server may have secrets; those of assertions are our own. */
const reasonOf = (error: unknown): string =>
  error instanceof AssertionError ? error.message.split('\n', 1).join('') : 'it failed in an unexpected way'

const inTime = async (run: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new AssertionError({ message: `it had not ended after ${TRIAL_MS / 1000} s` })
    timer = setTimeout(() => reject(error), TRIAL_MS)
  })
  try {
    await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}
