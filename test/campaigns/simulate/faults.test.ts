import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { faults } from './faults.ts'
import { withFault } from './faulty.ts'
import { simulate, type Simulated } from './simulation.ts'

const it = suite('faults that the simulation finds')

/** Within how many histories a fault has to show. */
const WITHIN = 300

const firstOf = async (run: typeof simulate, from: number): Promise<Simulated | undefined> => {
  for (let seed = from; seed < from + WITHIN; seed += 1) {
    const simulated = await run(seed)
    if (simulated.violations.length > 0) return simulated
  }
  return undefined
}

for (const fault of faults) {
  it(`finds ${fault.name}, which the sources as they are do not show`, async () => {
    const faulty = await withFault(fault)
    const found = await firstOf(faulty.simulate, fault.near).finally(faulty.remove)
    assert.ok(found, `${WITHIN} histories did not show it`)
    assert.match(found.violations.map(({ promise }) => promise).join('; '), fault.breaks)
    assert.equal((await simulate(found.seed)).violations, [])
  })
}

it('leaves to another test what it cannot reach: several processes that begin with --init at once', () => {
  // The command line begins organizations, with files and timers of its own; the simulator runs engines.
  const guard = readFileSync(new URL('../../adapters/cli/begin.test.ts', import.meta.url), 'utf8')
  assert.match(guard, /begins one organization, although three processes begin at once/)
})

it('leaves to other tests two mistakes of freshness, which thousands of histories do not show any more', () => {
  // A process looks for what others have appended before it decides, for a while after a refusal: so it is seldom behind.
  const inCore = (path: string): string => readFileSync(new URL(`../../core/${path}`, import.meta.url), 'utf8')
  assert.match(inCore('writing/organizations.test.ts'), /because of a commit that is under way here/)
  assert.match(inCore('command/went-back.test.ts'), /is known by its last line, where it has as many events as before/)
})

it.run()
