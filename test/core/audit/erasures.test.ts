import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { REQUEST } from '../../../core/log/parts.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { codeOf, right, type Person } from '../world/world.ts'
import { decisionOf, draftsOf, forged, must, type Draft } from './forgery.ts'
import {
  auditedWith,
  completion,
  decided,
  erased,
  isOf,
  listed,
  office,
  partsThere,
  takeAway,
  type Office,
} from './erasures-log.ts'
import { codesIn, exported, linesOf, trio } from './logs.ts'

/*
 * Erasures in logs whose hashes all fit. An honest one accuses nobody, also where it is only half done; whatever else is missing is
 * found.
 */
const it = suite('audits of erasures')

let made: Office
let honest = ''
it.before(async () => {
  made = await office()
  honest = (await erased(made, made.bob.userId)).text
})
it.after(() => made.close())

const drafts = (): Draft[] => draftsOf(honest)
const found = async (all: readonly Draft[]) => codesIn(await auditedWith(forged(all)))
const makerOf = ({ event }: Draft): unknown => event.data.requester ?? event.data.user
const verdictOf = ({ data }: Draft['event']): unknown =>
  (data.decision as { readonly verdict: { readonly outcome: string } } | undefined)?.verdict.outcome

it('find nothing, and count apart what cannot be checked any more', async () => {
  const { counts, findings } = await auditedWith(honest)
  assert.equal(findings, [])
  assert.is(counts.erased, listed(drafts()).length)
  const all = drafts()
  const conclusions = all.filter(({ event }) => event.type === 'ActivityCompleted').length
  const requests = all.filter((draft) => draft.erased?.request !== undefined).length
  assert.equal([counts.stampsErased, counts.stamps], [requests, decided(all).length - requests])
  assert.equal([counts.executionsErased, counts.executions], [2, conclusions - 2])
  assert.is(counts.decisions + counts.decisionsErased, decided(all).length)
  // Bob was created and changed. His own requests, and that of Carol and his vote on it, rested on his e-mail address.
  assert.is(counts.decisionsErased, 6)
})

it('found nothing before, where everything could be checked', async () => {
  const { counts, findings, erasures } = await auditedWith(made.before)
  assert.equal(findings, [])
  assert.equal([counts.stampsErased, counts.executionsErased, counts.decisionsErased, erasures.count], [0, 0, 0, 0])
})

it('say who erased whom, and when', async () => {
  const { erasures } = await auditedWith(honest)
  const { event } = completion(drafts())
  assert.equal(erasures, {
    count: 1,
    first: [
      {
        organization: made.organizationId,
        activity: event.activity,
        userId: made.bob.userId,
        state: 'completed',
        at: event.at,
        requester: made.ada.userId,
        approvers: [made.grace.userId],
        parts: listed(drafts()).length,
      },
    ],
  })
})

it('find each part that was taken away by hand, in whatever event', async () => {
  const all = drafts()
  let tried = 0
  for (const [index, draft] of all.entries())
    for (const name of partsThere(draft)) {
      const changed = structuredClone(all)
      takeAway(must(changed[index]), name)
      const { findings } = await auditedWith(forged(changed))
      const own = findings.filter(({ sequence, message }) => sequence === BigInt(index + 1) && message.includes(name))
      assert.equal([...new Set(findings.map(({ code }) => code))], ['PART_ERASED'], `${index} ${name}`)
      // Without its own request, an erasure explains nothing.
      const isOfErasure = draft.event.activity === completion(all).event.activity
      assert.equal([own.length, findings.length], [1, isOfErasure ? 1 + listed(all).length : 1], `${index} ${name}`)
      tried += 1
    }
  assert.ok(tried > 20)
})

it('find nothing where an erasure is started, whether all of its parts are gone or only some', async () => {
  const whole = draftsOf(made.before)
  const started = drafts().slice(0, -1)
  const report = await auditedWith(forged(started))
  assert.equal(report.findings, [])
  assert.equal(
    report.erasures.first.map(({ state, userId, parts }) => [state, userId, parts]),
    [['started', made.bob.userId, listed(drafts()).length]],
  )
  for (const { sequence } of listed(drafts())) {
    const half = structuredClone(started)
    const index = Number(sequence) - 1
    half[index] = must(whole[index]) // with all its parts
    assert.equal((await auditedWith(forged(half))).findings, [], `with the parts of ${sequence}`)
    const first = [...whole.slice(0, index), ...started.slice(index)]
    assert.equal((await auditedWith(forged(first))).findings, [], `with the parts before ${sequence}`)
  }
})

it('find that an erasure which is started takes away what is not of its user', async () => {
  const started = drafts().slice(0, -1)
  takeAway(must(decided(started).findLast(isOf('CREATE_USERS'))), REQUEST)
  assert.equal(await found(started), ['PART_ERASED'])
})

it('find another decision beside those that rest on what is erased', async () => {
  const all = drafts()
  const other = decisionOf(must(all.find(({ event }) => verdictOf(event) === 'DENIED')))
  Object.assign(other.verdict, { outcome: 'CONSENSUS_NEEDED' })
  assert.ok((await found(all)).includes('DECISION_DIFFERS'))
  // A decision that read his e-mail address cannot be repeated; but it stands before the head that the erasure names.
  const again = drafts()
  const byEmail = must(
    decided(again).find((draft) => isOf('CREATE_USER_TAG')(draft) && makerOf(draft) === made.bob.userId),
  )
  const { evaluations } = decisionOf(byEmail).verdict as { readonly evaluations: readonly { outcome: string }[] }
  assert.equal(
    [...evaluations].map(({ outcome }) => outcome),
    ['OUTCOME_ALLOW', 'OUTCOME_DENY_IMPLICIT'],
  )
  must(evaluations[1]).outcome = 'OUTCOME_ERROR'
  assert.equal(await found(again), ['ERASURE_DIFFERS', 'PART_ERASED'])
})

it('find nothing where two were asked for and the second is refused, and where the requests that were made go, too', async () => {
  const own = await office()
  const asked = [
    await own.done(own.ada, 'erase_user', { userId: own.bob.userId }),
    await own.done(own.root, 'erase_user', { userId: own.bob.userId, requests: 'MADE' }),
  ] as const
  right(await own.approve(own.grace, asked[1]))
  assert.is(right(await own.approve(own.grace, asked[0])).status, 'ACTIVITY_STATUS_FAILED')
  assert.is(codeOf(await own.submit(own.ada, 'erase_user', { userId: own.bob.userId })), 'REQUEST_INVALID')
  const { findings, counts, erasures } = await auditedWith(await exported(own.storage.store))
  assert.equal(findings, [])
  assert.ok(counts.stampsErased > 3)
  assert.is(erasures.count, 1)
  await own.close()
})

it('find nothing where a user waited for the erased one with an operation that is otherwise their own', async () => {
  let people: readonly [Person, Person] | undefined
  const own = await trio({ resources: [...publicApi, ...erasure] }, async ({ done, enrol, root }) => {
    people = [await enrol('bob'), await enrol('dave')]
    const [condition, consensus] = ['true', "approvers.any(user, user.alias == 'bob')"]
    await done(root, 'create_policy', { policyName: 'bob', effect: 'EFFECT_ALLOW', condition, consensus, notes: '' })
  })
  const [bob, dave] = must(people)
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  const asked = await own.done(dave, 'create_api_keys', {
    userId: dave.userId,
    apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
  })
  assert.is(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  right(await own.approve(own.grace, await own.done(own.ada, 'delete_users', { userIds: [bob.userId] })))
  const { text } = await erased(own, bob.userId)
  assert.equal((await auditedWith(text)).findings, [])
  // By a denial they would not wait.
  const all = draftsOf(text)
  Object.assign(decisionOf(must(all.findLast((draft) => makerOf(draft) === dave.userId))).verdict, {
    outcome: 'DENIED',
  })
  assert.ok((await found(all)).includes('DECISION_DIFFERS'))
  await own.close()
})

it('find nothing where two users who were created together are erased, one after the other', async () => {
  const own = await office()
  right(await own.approve(own.grace, await own.done(own.ada, 'delete_users', { userIds: [own.carol.userId] })))
  await erased(own, own.bob.userId)
  const { text } = await erased(own, own.carol.userId, 'MADE')
  const { findings, erasures, counts } = await auditedWith(text)
  assert.equal(findings, [])
  assert.is(erasures.count, 2)
  assert.equal(
    linesOf(text).some((line) => line.includes('"part":"personal:') && line.includes(own.carol.userId)),
    false,
  )
  assert.ok(erasures.first.reduce((sum, { parts }) => sum + parts, 0) > counts.erased) // one request had data of both
  await own.close()
})

it.run()
