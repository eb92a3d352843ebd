import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { goldenLogs, keyOf } from '../../system/golden/golden.ts'
import { LIMITS } from '../../system/golden/history.ts'
import { hostOperations } from '../../system/golden/host-operations.ts'
import { engineOn, imported } from '../../system/golden/on-golden.ts'
import { right } from '../world/world.ts'
import { completion, listed, relist, takeAway } from './erasures-log.ts'
import { draftsOf, forged, must, type Draft } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

/*
 * Erasures in logs of before: the requests there do not say whose data they hold, and names stand in the lines. Parts that were erased by
 * hand then are found, unless the auditor knows their number.
 */
const it = suite('erasures in older logs')

const operations = [...hostOperations({ answers: [] }), eraseUser]
const golden = must(goldenLogs().find(({ name }) => name === 'rules-2'))
const limits = [{ limits: {} }, { limits: LIMITS }]
const byHandMax = golden.facts.audit.erased

let honest = ''
let userId = ''
let organizationId = ''
it.before(async () => {
  const storage = memoryStore()
  await imported(golden, storage)
  const engine = await engineOn(storage, operations)
  organizationId = must(golden.facts.roots[0]).organizationId
  const key = keyOf(golden.facts, organizationId)
  const submit = async (type: string, parameters: Json) => {
    const timestampMs = String(Date.parse('2026-06-01T00:00:00.000Z'))
    const path = type.slice('ACTIVITY_TYPE_'.length).toLowerCase()
    return right(await engine.submit(path, stampedRequest(key, { type, timestampMs, organizationId, parameters }))())
  }
  for (const { event } of draftsOf(await exported(storage.store))) {
    const { change, type } = event.data as { change?: { users?: { userId: string }[] }; type?: string } // our own log
    if (event.organization !== organizationId || type?.startsWith('ACTIVITY_TYPE_CREATE_USERS') !== true) continue
    userId = change?.users?.[0]?.userId ?? userId
    if (userId !== '') break
  }
  await submit('ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] })
  const erased = await submit('ACTIVITY_TYPE_ERASE_USER', { userId })
  assert.is(erased.status, 'ACTIVITY_STATUS_COMPLETED')
  honest = await exported(storage.store)
  await engine.close()
})

const auditedWith = (text: string, hand = byHandMax) =>
  audited(encodeUtf8(text), { limits, byHandMax: hand }, operations)

it('find nothing where the auditor knows how many parts were erased by hand', async () => {
  const { findings, erasures } = await auditedWith(honest)
  assert.equal(findings, [])
  assert.is(erasures.count, 1)
  assert.ok(listed(drafts()).some(({ name }) => name === 'request'))
  const fewer = await auditedWith(honest, byHandMax - 1)
  assert.equal(codesIn(fewer), ['PART_ERASED'])
  assert.is(fewer.findings.length, 1)
})

it('find a request that is named, and whose activity says nothing of the user', async () => {
  const all = drafts()
  const ours = all.filter(({ event }) => event.organization === organizationId)
  const index = ours.findIndex(
    ({ event, request }) => event.data.type === 'ACTIVITY_TYPE_CREATE_USER_TAG' && request !== undefined,
  )
  takeAway(must(ours[index]), 'request')
  relist(all, (name, sequences) => (name === 'request' ? [...sequences, BigInt(index + 1)] : sequences))
  assert.equal(codesIn(await auditedWith(forged(all))), ['ERASURE_DIFFERS', 'PART_ERASED'])
})

it('find an older event after newer ones', async () => {
  const all = drafts()
  const last = must(
    all.findLast(({ event }) => event.data.type === eraseUser.type && event.type === 'ActivityCompleted'),
  )
  assert.is(last, completion(all))
  last.event.version = 1
  assert.ok(codesIn(await auditedWith(forged(all))).includes('BASIS_DIFFERS'))
})

const drafts = (): Draft[] => draftsOf(honest)

it.run()
