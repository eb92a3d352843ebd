import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * A campaign plants mistakes, or attacks, to see whether it would find them. Tests of this kind take long, and nothing but a change of the
 * campaign itself changes what they say. So they run where the files of the campaign are others than when they passed last:
 * `test/campaigns/proven.json` has the digest of then, which a run of all tests writes. `npm run nightly` runs them always.
 */

/** Parts of the paths of such tests. The campaign is the folder below `test/campaigns/`. */
const TESTS = [
  'test/campaigns/attack/',
  'test/campaigns/crash/bugs.test.ts',
  'test/campaigns/crash/several/bugs.test.ts',
  'test/campaigns/fuzz/',
  'test/campaigns/mutants/',
  'test/campaigns/simulate/faults.test.ts',
]
const PROVEN = 'test/campaigns/proven.json'

/** Whether this is a test of a campaign that has passed with the campaign as it is. */
export const isProven = (file: string): boolean => {
  const campaign = campaignOf(file)
  return campaign !== undefined && proven()[campaign] === digestOf(campaign)
}

/** Notes the campaigns all of whose tests are among those that have passed. */
export const remember = (passed: readonly string[]): void => {
  const now = { ...proven() }
  for (const campaign of new Set(passed.flatMap((file) => campaignOf(file) ?? []))) {
    const tests = filesOf(campaign).filter((file) => file.endsWith('.test.ts') && campaignOf(file) !== undefined)
    if (tests.every((file) => passed.includes(file))) now[campaign] = digestOf(campaign)
  }
  const text = `${JSON.stringify(now, Object.keys(now).toSorted(), 2)}\n`
  if (existsSync(PROVEN) && readFileSync(PROVEN, 'utf8') !== text) writeFileSync(PROVEN, text)
}

const campaignOf = (file: string): string | undefined =>
  TESTS.some((part) => file.startsWith(part)) ? file.split('/', 3).join('/') : undefined

const proven = (): { [campaign: string]: string } =>
  existsSync(PROVEN) ? (JSON.parse(readFileSync(PROVEN, 'utf8')) as { [campaign: string]: string }) : {} // our own file

const digestOf = (campaign: string): string => {
  const hash = createHash('sha256')
  for (const file of filesOf(campaign)) hash.update(`${file}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

const filesOf = (campaign: string): readonly string[] =>
  readdirSync(campaign, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
