import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../../core/failure.ts'
import type { Notice } from '../../../../core/ports/notice.ts'
import { TE } from '../../../../core/prelude.ts'
import { daySecrets, type DaySecrets } from '../../../../core/resources/deployment-key/day-secrets.ts'
import { sealedOf } from '../../../sealed-of.ts'
import { until } from '../../../until.ts'
import { stoppableKeyring } from '../../world/keyring.ts'
import { testStore } from '../../world/test-store.ts'
import { right, testClock } from '../../world/world.ts'

const it = suite('secrets of days')

const HOUR_MS = 60 * 60 * 1000
const EVENING = Date.parse('2026-01-01T23:00:00.000Z')

const rig = async () => {
  const storage = await testStore()
  const sealed = sealedOf(storage)
  const keyring = stoppableKeyring(storage)
  const notices: Notice[] = []
  const begin = (startMs: number, more: Partial<Parameters<typeof daySecrets>[0]> = {}) => {
    const clock = testClock(startMs)
    const begun = daySecrets({ keyring, sealed, clock, notice: (notice) => notices.push(notice), ...more })
    return begun.then((secrets) => ({ clock, secrets: right(secrets) }))
  }
  const days = async (): Promise<readonly string[]> =>
    right(await sealed.list({ organization: '', id: 'day.' }, 100)()).flatMap((row) =>
      'isGone' in row || !row.id.startsWith('day.') ? [] : [row.id],
    )
  return { sealed, keyring, notices, begin, days }
}

const sealBy = async ({ seal }: DaySecrets, text = 'what is secret'): Promise<string> =>
  right(await seal('result', text)())

it('seals texts that it opens, for the use for which they were sealed', async () => {
  const { secrets } = await (await rig()).begin(EVENING)
  const [one, two] = [await sealBy(secrets), await sealBy(secrets)]
  assert.is(secrets.open('result', one), 'what is secret')
  assert.is.not(one, two)
  assert.is(secrets.open('read-only session', one), undefined)
  assert.is(secrets.open('result', await sealBy(secrets, '')), '')
})

it('opens nothing that was changed', async () => {
  const { secrets } = await (await rig()).begin(EVENING)
  const sealed = await sealBy(secrets)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let at = 0; at < sealed.length; at += 1) {
    const other = digits[(digits.indexOf(sealed[at] ?? '') + 1) % 64] ?? ''
    assert.is(secrets.open('result', sealed.slice(0, at) + other + sealed.slice(at + 1)), undefined, `digit ${at}`)
    assert.is(secrets.open('result', sealed.slice(0, at)), undefined, `the first ${at} digits`)
  }
  for (const more of [`${sealed}=`, ` ${sealed}`, `${sealed}A`, sealed + sealed, '{}', '😀'])
    assert.is(secrets.open('result', more), undefined)
})

it('opens on the next day, and when two days have passed nobody does, and the secret is gone', async () => {
  const { begin, days } = await rig()
  const { clock, secrets } = await begin(EVENING)
  const sealed = await sealBy(secrets)
  clock.pass(HOUR_MS)
  assert.is(secrets.open('result', sealed), 'what is secret')
  clock.pass(24 * HOUR_MS - 1)
  assert.is(secrets.open('result', sealed), 'what is secret')
  clock.pass(1)
  assert.is(secrets.open('result', sealed), undefined)
  await until(async () => {
    clock.pass(0)
    return String(await days()) === 'day.20455,day.20456,day.20457'
  })
  clock.set(EVENING)
  assert.is(secrets.open('result', sealed), undefined)
})

it('is the same in several processes that begin at once, and in one that begins on the next day', async () => {
  const { begin } = await rig()
  const [one, two] = await Promise.all([begin(EVENING), begin(EVENING)])
  const sealed = await sealBy(one.secrets)
  assert.is(two.secrets.open('result', sealed), 'what is secret')
  const later = await begin(EVENING + 24 * HOUR_MS)
  assert.is(later.secrets.open('result', sealed), 'what is secret')
  const ahead = await begin(EVENING + HOUR_MS)
  assert.is(one.secrets.open('result', await sealBy(ahead.secrets)), 'what is secret')
})

it('deletes at its start what earlier processes have left', async () => {
  const { begin, days } = await rig()
  const { secrets } = await begin(EVENING)
  await secrets.close()
  await begin(EVENING + 400 * 24 * HOUR_MS)
  assert.equal(await days(), ['day.20854', 'day.20855'])
})

it('has a new secret where a clock that was ahead has had that of the day deleted', async () => {
  const { begin, days } = await rig()
  const { secrets } = await begin(EVENING)
  const before = await sealBy(secrets)
  await secrets.close()
  await (await begin(EVENING + 400 * 24 * HOUR_MS)).secrets.close()
  const [one, two] = await Promise.all([begin(EVENING), begin(EVENING)])
  assert.is(two.secrets.open('result', await sealBy(one.secrets)), 'what is secret')
  assert.is(one.secrets.open('result', before), undefined)
  assert.equal((await days()).slice(0, 2), ['day.20454.1', 'day.20455.1'])
})

it('tells of a change of the day that fails, and tries again', async () => {
  const { begin, days, notices, sealed } = await rig()
  let fails = false
  const list: typeof sealed.list = (...which) =>
    fails ? TE.left(failure('UNAVAILABLE', 'the store is away')) : sealed.list(...which)
  const { clock } = await begin(EVENING, { sealed: { ...sealed, list } })
  fails = true
  clock.pass(25 * HOUR_MS)
  await until(() => notices.length === 1)
  assert.is(notices[0]?.level, 'warn')
  assert.match(notices[0]?.message ?? '', /secret of the day .* the store is away/)
  fails = false
  await until(async () => {
    clock.pass(60_000)
    return (await days()).length === 3
  })
})

it('changes no day any more when it is closed', async () => {
  const { begin, days, notices } = await rig()
  const { clock, secrets } = await begin(EVENING)
  await secrets.close()
  clock.pass(72 * HOUR_MS)
  assert.equal(await days(), ['day.20454', 'day.20455'])
  assert.equal(notices, [])
})

it.run()
