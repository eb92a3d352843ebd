import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { daySecrets, type DaySecrets } from '../../../../core/resources/deployment-key/day-secrets.ts'
import { sealedOf } from '../../../sealed-of.ts'
import { until } from '../../../until.ts'
import { stoppableKeyring } from '../../world/keyring.ts'
import { testStore } from '../../world/test-store.ts'
import { right, testClock } from '../../world/world.ts'

const it = suite('what can be taken')

const HOUR_MS = 60 * 60 * 1000
const EVENING = Date.parse('2026-01-01T23:00:00.000Z')

const rig = async () => {
  const storage = await testStore()
  const sealed = sealedOf(storage)
  const keyring = stoppableKeyring(storage)
  const begin = async (startMs = EVENING) => {
    const clock = testClock(startMs)
    return { clock, secrets: right(await daySecrets({ keyring, sealed, clock, notice: () => undefined })) }
  }
  const rows = async () =>
    right(await sealed.list({ organization: 'taken.', id: '' }, 1_000)()).filter((row) => !('isGone' in row))
  return { begin, rows }
}

const takes = async (
  { take }: DaySecrets,
  owner: string,
  { name = 'a code', max = 3, untilMs = EVENING + HOUR_MS / 2 } = {},
) => right(await take({ name, owner, max }, untilMs)())

it('gives as many as there are, and nobody a second one', async () => {
  const { secrets } = await (await rig()).begin()
  for (const owner of ['a', 'b', 'a', 'c', 'b']) assert.ok(await takes(secrets, owner), owner)
  for (const owner of ['d', 'e']) assert.not(await takes(secrets, owner))
  for (const owner of ['a', 'b', 'c']) assert.ok(await takes(secrets, owner))
  assert.ok(await takes(secrets, 'd', { name: 'another code' }))
})

it('gives no more to owners who come at once, in two processes', async () => {
  const { begin, rows } = await rig()
  const [one, two] = [await begin(), await begin()]
  const owners = Array.from({ length: 64 }, (_, index) => `owner ${index}`)
  const taken = await Promise.all(owners.map((owner, index) => takes((index % 2 ? one : two).secrets, owner)))
  assert.is(taken.filter(Boolean).length, 3)
  assert.is((await rows()).length, 3)
  for (const [index, owner] of owners.entries()) assert.is(await takes(one.secrets, owner), taken[index])
})

it('shows no name in a row', async () => {
  const { begin, rows } = await rig()
  const { secrets } = await begin()
  await takes(secrets, 'a', { name: 'ada@example.com' })
  assert.not.match(JSON.stringify(await rows()), /ada|example/)
})

it('keeps what was taken over midnight, and deletes it with the secret of its day', async () => {
  const { begin, rows } = await rig()
  const { clock, secrets } = await begin()
  const tomorrow = { max: 1, untilMs: EVENING + 2 * HOUR_MS }
  assert.ok(await takes(secrets, 'a', tomorrow))
  assert.ok(await takes(secrets, 'a'))
  clock.pass(HOUR_MS)
  assert.not(await takes(secrets, 'b', tomorrow))
  clock.pass(24 * HOUR_MS)
  await until(async () => {
    clock.pass(0)
    return (await rows()).length === 1
  })
  assert.not(await takes(secrets, 'b', tomorrow))
  clock.pass(24 * HOUR_MS)
  await until(async () => {
    clock.pass(0)
    return (await rows()).length === 0
  })
})

it('can be taken where a clock that was ahead has closed the day', async () => {
  const { begin } = await rig()
  const { secrets } = await begin()
  assert.ok(await takes(secrets, 'a', { max: 1 }))
  await secrets.close()
  const ahead = await begin(EVENING + 400 * 24 * HOUR_MS)
  await ahead.secrets.close()
  const { secrets: again } = await begin()
  assert.ok(await takes(again, 'b', { max: 1 }))
  assert.not(await takes(again, 'c', { max: 1 }))
})

it('derives the same bytes from a text that was sealed, and none when its day is gone', async () => {
  const { begin } = await rig()
  const { clock, secrets } = await begin()
  const other = await begin()
  const sealed = right(await secrets.seal('code', 'what is secret')())
  const derived = secrets.derive(sealed, 'one')
  assert.is(derived?.length, 64)
  assert.equal(other.secrets.derive(sealed, 'one'), derived)
  assert.not.equal(secrets.derive(sealed, 'two'), derived)
  clock.pass(25 * HOUR_MS)
  assert.is(secrets.derive(sealed, 'one'), undefined)
})

it.run()
