import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { decisionOf, draftsOf, type Draft } from '../../core/audit/forgery.ts'
import { audited, codesIn, exported } from '../../core/audit/logs.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { right } from '../../core/world/world.ts'
import { answersOf, goldenLog, hashIn, keyOf, stateOf } from './golden.ts'
import { LIMITS } from './history.ts'
import { hostOperations } from './host-operations.ts'
import { engineOn, goOn, imported } from './on-golden.ts'

/*
 * A log that was written by the code of then. As long as nobody makes it anew, it has to audit without a finding, replay to the same state,
 * answer the same, and export byte for byte.
 */
const it = suite('the golden log')

const operations = hostOperations({ answers: [] })
/** Those of the two processes that wrote these logs. */
const limits = [{ limits: {} }, { limits: LIMITS }]

const golden = goldenLog()
const { text, facts } = golden
const organizationIds = facts.roots.map(({ organizationId }) => organizationId)

it(`has some 550 events in less than 1100 kB`, async () => {
  const { counts } = await audited(text, { limits }, operations)
  assert.ok(counts.events >= 550 && text.length < 1_100_000, `${counts.events} events, ${text.length} bytes`)
})

it(`audits without a finding, and with the same counts`, async () => {
  const { counts, findings } = await audited(text, { limits }, operations)
  assert.equal(findings, [])
  const { activities, stamps, decisions, executions, erased } = counts
  assert.equal({ activities, stamps, decisions, executions, erased }, facts.audit)
})

it(`replays to the same state, and answers the same`, async () => {
  const storage = memoryStore()
  await imported(golden, storage)
  const engine = await engineOn(storage, operations)
  for (const organizationId of organizationIds) {
    assert.is(hashIn(await stateOf(engine, organizationId)), facts.states[organizationId])
    const answers = await answersOf(engine, storage.store, organizationId, keyOf(facts, organizationId))
    assert.is(hashIn(answers), facts.answers[organizationId])
  }
  await engine.close()
})

it(`exports byte for byte, from memory and from SQLite`, async () => {
  const folder = await temporaryFolder()
  for (const storage of [memoryStore(), right(await openSqliteStore({ path: `${folder.path}/golden.db` })())]) {
    await imported(golden, storage)
    assert.is(await exported(storage.store), decodeUtf8(text))
    await storage.readModels.close()
    await storage.store.close()
  }
  await folder.remove()
})

it(`goes on with the rules of today, and still audits without a finding`, async () => {
  const storage = memoryStore()
  await imported(golden, storage)
  const engine = await engineOn(storage, operations)
  const tag = { userTagName: 'of today', userIds: [] }
  await goOn(engine, facts, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const after = await exported(storage.store)
  await engine.close()
  assert.ok(after.length > text.length)
  assert.equal(codesIn(await audited(encodeUtf8(after), { limits }, operations)), [])
})

it('passkeys of both algorithms stamp submits and votes either way, and are registered in several formats', async () => {
  const drafts = draftsOf(decodeUtf8(golden.text) ?? '')
  const byPasskey = drafts.filter(({ request }) => request?.head.header === 'X-Stamp-WebAuthn')
  const asked = new Set(byPasskey.map(({ request }) => (JSON.parse(request?.body ?? '') as { type: string }).type))
  for (const type of ['CREATE_ORGANIZATION', 'CREATE_USER_TAG', 'APPROVE_ACTIVITY', 'REJECT_ACTIVITY'])
    assert.ok(asked.has(`ACTIVITY_TYPE_${type}`), type)
  const outcomes = new Set(byPasskey.map((draft) => decisionOf(draft).verdict['outcome'] as string))
  assert.equal([...outcomes].toSorted(), ['ALLOWED', 'AUTHENTICATORS_NEEDED', 'CONSENSUS_NEEDED', 'DENIED', 'REJECTED'])
  const storage = memoryStore()
  await imported(golden, storage)
  const engine = await engineOn(storage, operations)
  const states = JSON.stringify(await Promise.all(organizationIds.map((id) => stateOf(engine, id))))
  await engine.close()
  for (const format of ['none', 'packed', 'apple']) assert.ok(states.includes(`"format":"${format}"`), format)
  const keys = [...states.matchAll(/"publicKey":"(pQEC|pAED)/g)].map(([, start = '']) => start) // COSE: P-256, RSA
  assert.equal([...new Set(keys)].toSorted(), ['pAED', 'pQEC'])
})

it('organizations below another one begin, go on and end, and their users are erased there and above', () => {
  const drafts = draftsOf(decodeUtf8(golden.text) ?? '')
  const begun = drafts.filter((draft) => draft.event.sequence === '1' && decisionOf(draft).verdict['rule'] === 'parent')
  const below = new Set(begun.map(({ event }) => event.organization))
  const completed = (isBelow: boolean): readonly Draft['event'][] =>
    drafts
      .map(({ event }) => event)
      .filter(({ type, organization }) => type === 'ActivityCompleted' && below.has(organization) === isBelow)
  assert.is(below.size, 4) // two of them begin with keys
  const count = (isBelow: boolean, type: string): number =>
    completed(isBelow).filter(({ data }) => data['type'] === `ACTIVITY_TYPE_${type}`).length
  assert.equal(
    [count(true, 'DELETE_SUB_ORGANIZATION'), count(true, 'CREATE_USER_TAG'), count(true, 'ERASE_USER')],
    [1, 1, 4],
  )
  const above = completed(false).filter(({ data }) => data['type'] === 'ACTIVITY_TYPE_ERASE_USER')
  assert.ok(above.some(({ data }) => 'subOrganizationId' in (data['change'] as object))) // our own log
  const votes = drafts.filter(({ event }) => event.type === 'ActivityVoted' && below.has(event.organization))
  assert.is(votes.length, 1, 'of a user of the parent')
})

it('wallets and private keys sign by every scheme, go, and are there from the beginning below', () => {
  const completed = draftsOf(decodeUtf8(golden.text) ?? '').filter(({ event }) => event.type === 'ActivityCompleted')
  const of = (type: string) => completed.filter(({ event }) => event.data['type'] === `ACTIVITY_TYPE_${type}`)
  for (const type of ['CREATE_WALLET', 'CREATE_WALLET_ACCOUNTS', 'CREATE_PRIVATE_KEYS_V2', 'SIGN_RAW_PAYLOADS'])
    assert.ok(of(type).length > 0, type)
  for (const type of ['DELETE_WALLETS', 'DELETE_PRIVATE_KEYS', 'DELETE_PRIVATE_KEY_TAGS', 'DISABLE_PRIVATE_KEY'])
    assert.ok(of(type).length > 0, type)
  assert.is(of('SIGN_RAW_PAYLOAD_V2').length, 6) // each scheme, and one below
  const begun = of('CREATE_ORGANIZATION').map(({ event }) => event.data['change'] as object) // our own log
  assert.is(begun.filter((change) => 'wallet' in change || 'privateKeys' in change).length, 2)
})

it('wallets, private keys and secrets come and go over the border, and the bundles of one who is erased are gone', () => {
  const types = ['EXPORT_WALLET', 'EXPORT_WALLET_ACCOUNT', 'EXPORT_PRIVATE_KEY', 'EXPORT_SECRETS'] as const
  const completed = draftsOf(decodeUtf8(golden.text) ?? '').filter(({ event }) => event.type === 'ActivityCompleted')
  const of = (type: string) => completed.find(({ event }) => event.data['type'] === `ACTIVITY_TYPE_${type}`)
  for (const type of ['IMPORT_WALLET', 'IMPORT_PRIVATE_KEY', 'IMPORT_SECRETS', 'DELETE_SECRETS'])
    assert.ok(of(type), type)
  const has = (type: string) =>
    of(type)?.others?.some(({ bytes }) => decodeUtf8(bytes)?.includes('dataSignature')) === true
  assert.equal(types.filter(has), ['EXPORT_SECRETS'])
})

it('second factors are given and missing, and a session profile is kept', async () => {
  const decisions = draftsOf(decodeUtf8(golden.text) ?? '').filter(({ event }) => event.data['decision'] !== undefined)
  const of = (outcome: string) => decisions.filter((draft) => decisionOf(draft).verdict['outcome'] === outcome)
  const counts = (outcome: string) => [
    ...new Set(of(outcome).map((draft) => (decisionOf(draft).basis['factors'] as readonly unknown[]).length)),
  ] // our own log
  assert.ok(of('AUTHENTICATORS_NEEDED').length >= 5)
  assert.equal(
    counts('ALLOWED').toSorted((a, b) => a - b),
    [0, 2, 4],
  )
  assert.equal(
    counts('AUTHENTICATORS_NEEDED').toSorted((a, b) => a - b),
    [1, 2, 3],
  )
  const types = new Set(draftsOf(decodeUtf8(golden.text) ?? '').map(({ event }) => event.data['type']))
  for (const type of ['CREATE_MFA_POLICY', 'UPDATE_MFA_POLICY', 'DELETE_MFA_POLICY', 'CREATE_SESSION_PROFILE'])
    assert.ok(types.has(`ACTIVITY_TYPE_${type}`), type)
})

it('policies hold at certain times, in zones whose clocks are changed', () => {
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

it.run()
