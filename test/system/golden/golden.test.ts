import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { decisionOf, draftsOf } from '../../core/audit/forgery.ts'
import { audited, codesIn, exported } from '../../core/audit/logs.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { right } from '../../core/world/world.ts'
import { answersOf, asFarAs, goldenLogs, keyOf, stateOf } from './golden.ts'
import { BY_HAND, LIMITS } from './history.ts'
import { hostOperations } from './host-operations.ts'
import { engineOn, goOn, imported } from './on-golden.ts'

/*
 * Logs that were written by the code of then, and are never written again. Whatever the code becomes, they have to audit
 * without a finding, replay to the same state, answer the same, and export byte for byte.
 */
const it = suite('golden logs')

const operations = hostOperations({ answers: [] })
/** Those of the two processes that wrote these logs. */
const limits = [{ limits: {} }, { limits: LIMITS }]

for (const golden of goldenLogs()) {
  const { name, text, facts } = golden
  const organizationIds = facts.roots.map(({ organizationId }) => organizationId)

  it(`${name}: has some 300 events in less than 700 kB`, async () => {
    const { counts } = await audited(text, { limits, byHandMax: BY_HAND }, operations)
    assert.ok(counts.events >= 290 && text.length < 700_000, `${counts.events} events, ${text.length} bytes`)
  })

  it(`${name}: audits without a finding, and with the same counts`, async () => {
    const { counts, findings } = await audited(text, { limits, byHandMax: BY_HAND }, operations)
    assert.equal(findings, [])
    const { activities, stamps, decisions, executions, erased } = counts
    assert.equal({ activities, stamps, decisions, executions, erased }, facts.audit)
  })

  it(`${name}: replays to the same state, and answers the same`, async () => {
    const storage = memoryStore()
    await imported(golden, storage)
    const engine = await engineOn(storage, operations)
    for (const organizationId of organizationIds) {
      const state = facts.states[organizationId] ?? null
      assert.equal(asFarAs(state, await stateOf(engine, organizationId)), state)
      const answers = await answersOf(engine, storage.store, organizationId, keyOf(facts, organizationId))
      assert.equal(withoutErrorInfo(answers), withoutErrorInfo(facts.answers[organizationId]))
    }
    await engine.close()
  })

  it(`${name}: exports byte for byte, from memory and from SQLite`, async () => {
    const folder = await temporaryFolder()
    for (const storage of [memoryStore(), right(await openSqliteStore({ path: `${folder.path}/golden.db` })())]) {
      await imported(golden, storage)
      assert.is(await exported(storage.store), decodeUtf8(text))
      await storage.readModels.close()
      await storage.store.close()
    }
    await folder.remove()
  })

  it(`${name}: goes on with the rules of today, and still audits without a finding`, async () => {
    const storage = memoryStore()
    await imported(golden, storage)
    const engine = await engineOn(storage, operations)
    const tag = { userTagName: 'of today', userIds: [] }
    await goOn(engine, facts, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
    const after = await exported(storage.store)
    await engine.close()
    assert.ok(after.length > text.length)
    assert.equal(codesIn(await audited(encodeUtf8(after), { limits, byHandMax: BY_HAND }, operations)), [])
  })
}

it('passkeys-1: passkeys of both algorithms stamp submits and votes either way, and are registered in several formats', () => {
  const golden = goldenLogs().find(({ name }) => name === 'passkeys-1')
  if (golden === undefined) throw new Error('the golden log of passkeys is gone')
  const drafts = draftsOf(decodeUtf8(golden.text) ?? '')
  const byPasskey = drafts.filter(({ request }) => request?.head.header === 'X-Stamp-WebAuthn')
  const asked = new Set(byPasskey.map(({ request }) => (JSON.parse(request?.body ?? '') as { type: string }).type))
  for (const type of ['CREATE_ORGANIZATION', 'CREATE_USER_TAG', 'APPROVE_ACTIVITY', 'REJECT_ACTIVITY'])
    assert.ok(asked.has(`ACTIVITY_TYPE_${type}`), type)
  const outcomes = new Set(byPasskey.map((draft) => decisionOf(draft).verdict['outcome'] as string))
  assert.equal([...outcomes].toSorted(), ['ALLOWED', 'CONSENSUS_NEEDED', 'DENIED', 'REJECTED'])
  const states = JSON.stringify(golden.facts.states)
  for (const format of ['none', 'packed', 'apple']) assert.ok(states.includes(`"format":"${format}"`), format)
  const keys = [...states.matchAll(/"publicKey":"(pQEC|pAED)/g)].map(([, start = '']) => start) // COSE: P-256, RSA
  assert.equal([...new Set(keys)].toSorted(), ['pAED', 'pQEC'])
})

it('time-1: policies hold at certain times, in zones whose clocks are changed', () => {
  const golden = goldenLogs().find(({ name }) => name === 'time-1')
  if (golden === undefined) throw new Error('the golden log of times is gone')
  const decisions = draftsOf(decodeUtf8(golden.text) ?? '').filter(({ event }) => event.data['decision'] !== undefined)
  const versions = new Set(decisions.map((draft) => decisionOf(draft).basis['timeZones']))
  assert.is(versions.size, 2, 'one version of the data, and decisions that do not rest on it')
  const last = golden.facts.roots.at(-1)?.organizationId
  const outcomes = decisions
    .filter(({ event }) => event.organization === last)
    .map((draft) => decisionOf(draft).verdict['evaluations'] as readonly { readonly outcome: string }[]) // our own log
    .map((evaluations) => evaluations.map(({ outcome }) => outcome.replace('OUTCOME_', '')).join(' '))
    .filter((text) => text !== '')
  const [one, idle] = ['TIME_INACTIVE', 'TIME_INACTIVE TIME_INACTIVE']
  assert.equal(outcomes, [
    `${one} ${one} ${idle}`,
    `${one} REQUIRES_CONSENSUS ${idle}`,
    `${one} ALLOW ${idle}`,
    `${one} REQUIRES_CONSENSUS ${idle}`,
    `${one} ALLOW ${one} DENY_EXPLICIT`,
    `${one} REQUIRES_CONSENSUS ${idle}`,
    `${one} ALLOW ${idle}`,
    `${one} REQUIRES_CONSENSUS ${idle}`,
    `${one} REQUIRES_CONSENSUS DENY_IMPLICIT ${one}`,
    `${one} ALLOW DENY_EXPLICIT ${one}`,
  ])
})

it('are there', () => assert.ok(goldenLogs().length > 0))

/** Answers as they were before failures told their exact codes. */
const withoutErrorInfo = (answers: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answers, (_, value: unknown) =>
      Array.isArray(value) ? value.filter((one: unknown) => !JSON.stringify(one).includes(ERROR_INFO)) : value,
    ),
  )

const ERROR_INFO = '"@type":"type.googleapis.com/google.rpc.ErrorInfo"'

it.run()
