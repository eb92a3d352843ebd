import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Cell } from '../../../core/writing/cell.ts'
import { conflicts } from '../../../core/writing/conflicts.ts'
import { TE } from '../../../core/prelude.ts'
import { quiet } from '../world/under-way.ts'
import { testClock } from '../world/world.ts'

const it = suite('conflicts')

const organizationId = 'acme'
/** A cell, as far as conflicts look at one. */
const anyCell = (): Cell => ({ organizationId }) as Cell

/** What a command waits for before it decides, by name, and for how long after its conflicts. */
const watched = ({ byte = 0, soleWriter = false, hasBatons = true, foreign = false } = {}) => {
  const waits: string[] = []
  const pauses: number[] = []
  const clock = testClock()
  const made = conflicts({
    capabilities: { soleWriter },
    ids: { bytes: (length) => new Uint8Array(length).fill(byte) },
    clock: {
      now: clock.now,
      after: (delayMs, wake) => {
        pauses.push(delayMs)
        queueMicrotask(wake)
        return () => undefined
      },
    },
    catchUp: async () => {
      waits.push('look')
      return foreign
    },
    cellOf: () => undefined,
    batons: hasBatons
      ? {
          hold: (_, job) => {
            waits.push('turn')
            return TE.tryCatch(job, () => ({ code: 'UNAVAILABLE', message: '' }))
          },
        }
      : undefined,
  })
  const before = async (): Promise<readonly string[]> => {
    waits.splice(0)
    await made.inTurn(organizationId, async () => undefined)
    await quiet() // the baton is passed on
    return waits.slice(0, 2)
  }
  return { ...made, before, pauses, clock }
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8]

for (const [byte, expected] of [
  [128, [4, 8, 16, 32, 64, 64, 64]],
  [0, [0, 0, 0, 0, 0, 0, 0]],
] as const)
  it(`let a command decide anew at once, and wait if it is refused again, longer each time: by the byte ${byte}`, async () => {
    const { afterConflict, pauses } = watched({ byte })
    for (const count of ALL) await afterConflict(anyCell(), count)
    assert.equal(pauses, expected)
  })

it('never let a sole writer wait', async () => {
  const { afterConflict, before, pauses } = watched({ byte: 128, soleWriter: true })
  for (const count of ALL) await afterConflict(anyCell(), count)
  assert.equal([pauses, await before()], [[], []])
})

it('let a process look first after a refusal, and take turns after the next one', async () => {
  const { afterConflict, before } = watched()
  assert.equal(await before(), [])
  const cell = anyCell()
  for (let command = 0; command < 3; command += 1) await afterConflict(cell, 1) // all that was pending is refused together
  assert.equal(await before(), ['look'])
  await afterConflict(anyCell(), 1)
  assert.equal(await before(), ['turn', 'look'])
})

it('let a process look where the store has no batons', async () => {
  const { afterConflict, before } = watched({ hasBatons: false })
  for (const count of ALL) await afterConflict(anyCell(), count)
  assert.equal(await before(), ['look'])
})

for (const { foreign, expected } of [
  { foreign: false, expected: [] },
  { foreign: true, expected: ['turn', 'look'] },
])
  it(`let processes take turns only for a while, unless others go on appending: ${foreign}`, async () => {
    const { afterConflict, before, clock } = watched({ foreign })
    for (let n = 0; n < 2; n += 1) await afterConflict(anyCell(), 1)
    clock.pass(9_000)
    assert.equal(await before(), ['turn', 'look'])
    clock.pass(9_000)
    assert.equal(await before(), expected)
  })

it('of one organization let nobody wait in another one', async () => {
  const { afterConflict, before } = watched()
  await afterConflict({ organizationId: 'other' } as Cell, 1)
  assert.equal(await before(), [])
})

it.run()
