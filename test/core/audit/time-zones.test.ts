import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import type { TimeZones } from '../../../core/ports/time-zones.ts'
import { right, testClock, world, type World } from '../world/world.ts'
import { decisionOf, draftsOf, forged, type Draft } from './forgery.ts'
import { audited, exported } from './logs.ts'

const it = suite('an audit of policies with times')

const ours = intlTimeZones()
/** Older data, by which clocks in every zone show an hour more. */
const older: TimeZones = {
  ...ours,
  version: '2019a',
  offsetMs: (zone, atMs) => (ours.offsetMs(zone, atMs) ?? 0) + 3_600_000,
}

const OFFICE = "CronSpan('0 9 * * 1-5', '8h', 'America/New_York')"
const BEFORE_NINE = Date.parse('2026-01-05T13:30:00Z') // half past eight in New York

/** Ada asks for a tag half an hour before the office opens, by the clocks of New York, and Grace approves it. */
const history = async (timeZones: TimeZones, consensus = '', zoned = OFFICE): Promise<World> => {
  const scene = await world({ testClock: testClock(BEFORE_NINE), timeZones })
  const [ada, grace] = [await scene.enrol('ada'), await scene.enrol('grace')]
  const policy = { policyName: 'tags', effect: 'EFFECT_ALLOW', notes: '', time: zoned, consensus }
  await scene.done(scene.root, 'create_policy', policy)
  const tag = await scene.submit(ada, 'create_user_tag', { userTagName: 'early', userIds: [] })
  if (consensus !== '') await scene.approve(grace, right(tag))
  return scene
}

const told = async (text: string, zones?: TimeZones): Promise<readonly (readonly [FindingCode, string])[]> =>
  (await audited(text, {}, [], zones)).findings.map(({ code, message }) => [code, message])

const logOf = async (...given: Parameters<typeof history>): Promise<string> => {
  const scene = await history(...given)
  const text = await exported(scene.storage.store)
  await scene.close()
  return text
}

/** The versions that decisions name. */
const versionsIn = (drafts: readonly Draft[]): readonly unknown[] =>
  drafts.flatMap((draft) => (draft.event.data['decision'] === undefined ? [] : [decisionOf(draft).basis['timeZones']]))

it('finds nothing where the data is the same', async () => {
  for (const zones of [ours, older]) {
    const text = await logOf(zones)
    assert.equal(versionsIn(draftsOf(text)), [undefined, undefined, undefined, undefined, zones.version])
    assert.equal(await told(text, zones), [])
  }
})

it('finds nothing where other data decides the same', async () => {
  const text = await logOf(older, '', `!${OFFICE} || true`)
  assert.equal(versionsIn(draftsOf(text)).at(-1), '2019a')
  assert.equal(await told(text), [])
})

it('says which versions differ where other data decides otherwise, and fails all the same', async () => {
  const differs = `; it was taken with version 2019a of the time zones, and this audit has ${ours.version}`
  assert.equal(await told(await logOf(older)), [
    ['DECISION_DIFFERS', `taken again, the decision is DENIED by policies, with 1 policies${differs}`],
  ])
  assert.equal(await told(await logOf(older, 'approvers.count() >= 2')), [
    ['DECISION_DIFFERS', `taken again, the decision is DENIED by policies, with 1 policies${differs}`],
    ['VOTE_INVALID', `this user could not vote on the activity${differs}`],
    ['DECISION_DIFFERS', `taken again, the decision is DENIED by policies, with 1 policies${differs}`],
  ])
})

it('says so where this machine knows no zones at all', async () => {
  const none: TimeZones = { version: 'none', isKnown: () => false, offsetMs: () => undefined }
  const [finding, ...others] = await told(await logOf(older), none)
  assert.equal(others, [])
  assert.is(finding?.[0], 'DECISION_DIFFERS')
  assert.match(finding?.[1] ?? '', 'version 2019a of the time zones, and this audit has none')
})

it('accepts no version as an excuse for a forged decision, and no decision without one', async () => {
  const honest = draftsOf(await logOf(ours))
  const last = honest.length - 1
  const changed = (change: (basis: { [member: string]: unknown }, draft: Draft) => void, at = last): string => {
    const drafts = structuredClone(honest)
    const draft = drafts[at]
    if (draft === undefined) throw new Error('expected an event')
    change(decisionOf(draft).basis, draft)
    return forged(drafts)
  }
  const allowed = await told(
    changed((basis, draft) => {
      basis['timeZones'] = '2019a'
      const { policyId } = (decisionOf(draft).verdict['evaluations'] as readonly { policyId: string }[])[0] ?? {} // our own log
      const evaluations = [{ policyId: policyId ?? '', outcome: 'OUTCOME_ALLOW' }]
      Object.assign(decisionOf(draft).verdict, { outcome: 'ALLOWED', evaluations })
    }),
  )
  assert.ok(allowed.some(([code, message]) => code === 'DECISION_DIFFERS' && message.includes('version 2019a')))
  assert.equal(await told(changed((basis) => delete basis['timeZones'])), [
    ['BASIS_DIFFERS', 'policies ask for time zones: expected the version of their data'],
  ])
  assert.equal(await told(changed((basis) => (basis['timeZones'] = ours.version), 2)), [
    ['BASIS_DIFFERS', 'no policy asks for time zones: expected no version of their data'],
  ])
  for (const version of ['', 'a b', '\u001b[2J', 'x'.repeat(33), 7])
    assert.equal((await told(changed((basis) => (basis['timeZones'] = version))))[0]?.[0], 'LINE_UNREADABLE')
})

it('needs no data for policies in UTC', async () => {
  const text = await logOf(older, '', "CronSpan('0 13 * * *', '1h', 'UTC')")
  assert.equal(new Set(versionsIn(draftsOf(text))), new Set([undefined]))
  assert.equal(await told(text), [])
})

it.run()
