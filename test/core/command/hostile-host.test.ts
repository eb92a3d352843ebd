import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FailureCode } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { E } from '../../../core/prelude.ts'
import { begin, right, world, type Person, type World } from '../world/world.ts'
import { faultyStore } from './faulty-store.ts'
import { inTime } from '../world/under-way.ts'
import { assertSound, eventsOf } from './history.ts'
import { DEEDS, hostile, PLACES, type Place } from './hostile-host.ts'
import { secondProcess } from './second-process.ts'

const it = suite('a host whose code throws, rejects or gives garbage')

const rejections: unknown[] = []
const note = (reason: unknown): void => void rejections.push(reason)
it.before(() => void process.on('unhandledRejection', note))
it.after(() => void process.off('unhandledRejection', note))

type Crew = { readonly ada: Person; readonly grace: Person }

/** The older form: its codec and its result are a host's own functions, too. */
const type = 'ACTIVITY_TYPE_MAKE_TROUBLE'

/** All that can be asked of an engine with this text. None of it may reject. */
const asked = async (w: World, { ada, grace }: Crew, text: string): Promise<void> => {
  const answers: E.Either<{ readonly code: string }, unknown>[] = []
  answers.push(await w.submit(w.root, 'make_trouble', { text }, { type }))
  const body = w.body('make_trouble', { text }, { type })
  const waiting = await w.send(ada, 'make_trouble', body)
  answers.push(waiting, await w.send(ada, 'make_trouble', body))
  if (E.isRight(waiting)) answers.push(await w.approve(grace, waiting.right))
  answers.push(await w.ask(w.root, 'tell_trouble', { text }))
  for (const answer of answers) assert.ok(E.isRight(answer) || FailureCode.is(answer.left.code))
  right(await w.submit(w.root, 'make_trouble', { text: 'calm' }))
}

/** The log can be read, and everything that is in it can be asked for, of this engine and of the next. */
const readable = async (w: World, options: ReturnType<typeof engineOptions>): Promise<void> => {
  const ids = [...assertSound(await eventsOf(w)).keys()]
  const second = await secondProcess(w, options)
  for (const engine of [w.engine, second]) {
    right(await engine.replayOrganization(w.organizationId)())
    for (const projection of options.resources.flatMap(({ projections }) => projections))
      await engine.replay(projection)()
  }
  for (const activityId of ids) right(await w.ask(w.root, 'get_activity', { activityId }))
  await inTime(w.clock, second.close(), 1_000)
}

const engineOptions = (place: Place, outside: boolean) => {
  const host = hostile(place, outside)
  return {
    resources: withHost([...host.operations], [...host.queries], [...host.projections]),
    closeWithinMs: 1_000,
    waitForEffectsMs: 100,
    snapshotEvery: 10,
  }
}

const lived = async (place: Place, outside: boolean, deeds: readonly string[]): Promise<readonly Notice[]> => {
  const notices: Notice[] = []
  const options = engineOptions(place, outside)
  const w = await world({ store: faultyStore(), ...options, onNotice: (notice) => void notices.push(notice) })
  const crew = { ada: await w.enrol('ada'), grace: await w.enrol('grace') }
  const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2', notes: '' }
  await w.done(w.root, 'create_policy', policy)
  for (const deed of deeds) {
    await begin(w)
    await inTime(w.clock, asked(w, crew, deed), 50).catch((error: unknown) => {
      throw new Error(`${deed}: ${String(error)}`, { cause: error })
    })
  }
  await inTime(w.clock, readable(w, options), 50)
  await inTime(w.clock, w.close(), 1_000)
  return notices
}

for (const place of PLACES) {
  for (const outside of place === 'answer' || place === 'project' ? [false] : [false, true]) {
    it(`gets failures, and harms nobody: ${place}${outside ? ', with effects outside' : ''}`, async () => {
      const isCalled = !['decode', 'encode', 'change', 'result', 'state'].includes(place) // a promise inside of a value is the host's own
      const deeds = Object.keys(DEEDS).filter((deed) => isCalled || deed !== 'gives a promise that rejects')
      // A projection is parked at the first of its deeds.
      const lives = place === 'project' ? deeds.map((deed) => [deed]) : [deeds]
      for (const life of lives) assert.not.match(JSON.stringify(await lived(place, outside, life)), 'secret')
      assert.equal(rejections.splice(0).map(String), [])
    })
  }
}

it.run()
