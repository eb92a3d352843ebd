import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { draftsOf } from '../../core/audit/forgery.ts'
import { differenceFromHistory } from './another-history.ts'
import { audited, describe, forgeries } from './forgeries.ts'
import { EVERYTHING, randomHistory } from './random-history.ts'

const it = suite('forged logs')

it('accuses no honest log of a thousand activities with clocks that jump, restarts and changed limits', async () => {
  const { text, limits, erased, clockLagMaxMs } = await randomHistory(1, { ...EVERYTHING, requests: 6_000 })
  const { counts, erasures, findings } = await audited(text, { limits, erasedMax: erased, clockLagMaxMs })
  assert.is(describe(findings), '')
  assert.ok(erasures.count > 5)
  assert.ok(counts.activities > 900)
  assert.ok(counts.clockBehind > 50)
  assert.ok(limits.length > 20)
  assert.ok(draftsOf(text).filter(({ request }) => request?.head.header === 'X-Stamp-WebAuthn').length > 50)
})

it('finds every forgery that is not what an engine writes which is sent the same requests', async () => {
  const { found, anotherHistory, missed } = await forgeries(1, 300)
  assert.equal(missed, [])
  assert.ok(found > 200)
  assert.ok(anotherHistory > 5)
})

it('holds that against honest logs: an engine writes them again', async () => {
  for (let seed = 101; seed <= 106; seed += 1) {
    const { text } = await randomHistory(seed, { ...EVERYTHING, requests: 40 })
    assert.is(await differenceFromHistory(draftsOf(text)), undefined, `seed ${seed}`)
  }
})

it('holds that against what no engine writes', async () => {
  const { text } = await randomHistory(107, { ...EVERYTHING, requests: 40, erasures: false })
  const drafts = draftsOf(text)
  const effects = new Set(drafts.flatMap(({ event }) => (event.type === 'ActivityStarted' ? [event.activity] : [])))
  const conclusions = drafts.filter(
    ({ event }) => event.type === 'ActivityCompleted' && !effects.has(event.activity), // a service may never answer
  )
  for (const [at, conclusion] of [...conclusions.entries()].filter(([index]) => index % 4 === 3)) {
    const without = drafts.filter((draft) => draft !== conclusion)
    assert.ok((await differenceFromHistory(without)) !== undefined, `without conclusion ${at + 1}`)
  }
})

it.run()
