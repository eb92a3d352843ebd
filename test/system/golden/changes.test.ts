import * as t from '../../../core/codec/t.ts'
import { withBeginning } from '../../../core/resources/public-api.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { audit } from '../../../core/audit/audit.ts'
import type { AuditOptions, AuditReport } from '../../../core/audit/report.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import type { Limit } from '../../../core/definition/limits.ts'
import { decodes, operation, type Operation } from '../../../core/definition/operation.ts'
import type { Resource } from '../../../core/definition/resource.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { RULES_VERSION } from '../../../core/policy/rules.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { codesIn, exported } from '../../core/audit/logs.ts'
import { withHost } from '../../core/world/with-host.ts'
import { right } from '../../core/world/world.ts'
import { goldenLog, hashIn, stateOf, type GoldenLog } from './golden.ts'
import { LIMITS } from './history.ts'
import { enlist, mail, paying, quoting } from './host-operations.ts'
import { engineOn, goOn, imported } from './on-golden.ts'

/*
 * Changes that a developer will make, each on the golden log. Not all of them are here: those of resources, their states and
 * views stand with them.
 */
const it = suite('changes by developers, on golden logs')

const payment = paying({ answers: [] })
const pay = operation(payment)
const quote = operation(quoting)
const digest = nodeDigest()

const audited = (
  text: Uint8Array,
  operations: readonly Operation[],
  options: AuditOptions = {},
  resources = withHost(operations),
): Promise<AuditReport> =>
  audit(
    {
      signatures: nodeSignatures(),
      attestations: simpleWebAuthn({ digest }),
      ids: nodeIds(),
      catalogue: right(catalogue(withBeginning(resources), intlTimeZones())),
    },
    readTranscript(digest, [text]),
    { limits: [{ limits: {} }, { limits: LIMITS }], ...options },
  )

/** Asserts that nothing of the log is judged, replayed or written otherwise with these operations. */
const changesNothing = async (golden: GoldenLog, operations: readonly Operation[]): Promise<void> => {
  const { text, facts } = golden
  const { counts, findings } = await audited(text, operations)
  const { activities, stamps, decisions, executions, erased } = counts
  assert.equal(findings, [])
  assert.equal({ activities, stamps, decisions, executions, erased }, facts.audit)
  assert.is(counts.believed, 0)
  await replaysTheSame(golden, operations)
}

const replaysTheSame = async ({ text, facts }: GoldenLog, operations: readonly Operation[]): Promise<void> => {
  const storage = memoryStore()
  await imported({ text }, storage)
  const engine = await engineOn(storage, operations)
  for (const { organizationId } of facts.roots) {
    assert.is(hashIn(await stateOf(engine, organizationId)), facts.states[organizationId])
  }
  assert.is(await exported(storage.store), decodeUtf8(text))
  await engine.close()
}

/** The log with one more activity in each organization, by the operations of now. */
const continued = async (
  golden: GoldenLog,
  operations: readonly Operation[],
  ...[path, type, parameters]: readonly [path: string, type: string, parameters: object]
): Promise<Uint8Array> => {
  const storage = memoryStore()
  await imported(golden, storage)
  const engine = await engineOn(storage, operations)
  await goOn(engine, golden.facts, path, type, parameters)
  const text = await exported(storage.store)
  await engine.close()
  return encodeUtf8(text)
}

const renamedQuote = operation({
  ...quoting,
  type: 'ACTIVITY_TYPE_QUOTE_V2',
  versions: [{ type: 'ACTIVITY_TYPE_QUOTE', ...decodes(quoting.intent, (intent) => intent) }],
})

const quoteWithVersion = operation({
  ...quoting,
  versions: [
    {
      type: 'ACTIVITY_TYPE_QUOTE_OLD',
      ...decodes(t.fields({ thing: t.string }), ({ thing: item }) => ({ item })),
    },
  ],
})

const quoteWithMember = operation({
  ...quoting,
  intent: t.fields({ item: t.string }, { note: t.string }),
  result: t.fields({ cents: t.number }, { note: t.string }),
  change: t.fields({ item: t.string, cents: t.number }, { note: t.string }),
})

/** Decides by dollars, and changes what comes of a payment. */
const inDollars = {
  params: ({ payee, cents }: { readonly payee: string; readonly cents: number }) => ({ payee, dollars: cents / 100 }),
  execute: ((intent, context) => {
    const { result, change } = payment.execute(intent, context)
    return { result, change: { ...change, payee: `to ${intent.payee}` } }
  }) satisfies typeof payment.execute,
}
const { params = () => ({}), execute } = payment
const revised = operation({ ...payment, ...inDollars, revision: 2, earlier: { 1: { params, execute } } })
const forgetful = operation({ ...payment, ...inDollars, revision: 2 })

const golden = goldenLog()
const { text, facts } = golden

it(`a new version of the wire`, () => changesNothing(golden, [pay, mail, enlist, quoteWithVersion]))

it(`another name of a type, whose old one stays as a version`, async () => {
  const operations = [pay, mail, enlist, renamedQuote]
  await changesNothing(golden, operations)
  const more = await continued(golden, operations, 'quote', 'ACTIVITY_TYPE_QUOTE', { item: 'ink' })
  assert.match(decodeUtf8(more) ?? '', '"type":"ACTIVITY_TYPE_QUOTE_V2","result"')
  assert.equal((await audited(more, operations)).findings, [])
})

it(`a member more`, async () => {
  const operations = [pay, mail, enlist, quoteWithMember]
  await changesNothing(golden, operations)
  const more = await continued(golden, operations, 'quote', 'ACTIVITY_TYPE_QUOTE', { item: 'ink', note: 'soon' })
  assert.equal((await audited(more, operations)).findings, [])
})

it(`a changed default of a limit`, async () => {
  const operations = [pay, mail, enlist, quote]
  const listed = await audited(text, operations, {}, withTagLimit(operations, { earlier: [100] }))
  assert.equal(listed.findings, [])
  assert.is(listed.counts.executions, facts.audit.executions)
  const limits = [{ limits: {} }, { limits: { expiringApiKeys: LIMITS.expiringApiKeys ?? 0 } }]
  const codes = codesIn(await audited(text, operations, { limits }, withTagLimit(operations, {})))
  assert.equal(codes, namesLimits(text) ? ['BASIS_DIFFERS'] : []) // logs of before are judged by the limits of then
})

it(`a raised revision with its earlier form`, async () => {
  const operations = [revised, mail, enlist, quote]
  await changesNothing(golden, operations)
  const more = await continued(golden, operations, 'pay', 'ACTIVITY_TYPE_PAY', { payee: 'printer', cents: 100 })
  const { counts, findings } = await audited(more, operations)
  assert.equal([findings, counts.believed], [[], 0])
  assert.match(decodeUtf8(more) ?? '', '"payee":"to printer"')
})

it(`the same change without a revision is a finding, so the revision is needed`, async () => {
  const codes = codesIn(await audited(text, [operation({ ...payment, ...inDollars }), mail, enlist, quote]))
  assert.ok(codes.includes('DECISION_DIFFERS') && codes.includes('EXECUTION_DIFFERS'), codes.join())
})

it(`a raised revision without its earlier form is believed, and counted`, async () => {
  const operations = [forgetful, mail, enlist, quote]
  const { counts, findings } = await audited(text, operations)
  assert.equal(findings, [])
  assert.is(counts.believed, eventsOf(text, 'ACTIVITY_TYPE_PAY'))
  assert.ok(counts.believed > 10 && counts.decisions < facts.audit.decisions)
  await replaysTheSame(golden, operations)
  const refused = (believedMax: number) => audited(text, operations, { believedMax })
  assert.equal(codesIn(await refused(counts.believed - 1)), ['REVISION_UNKNOWN'])
  assert.is((await refused(0)).findings.length, counts.believed)
  assert.equal((await refused(counts.believed)).findings, [])
})

it(`a version of the rules`, async () => {
  const { counts } = await audited(text, [pay, mail, enlist, quote])
  const isOlder = eventsIn(text).some(({ data }) => (data.decision?.basis.rules ?? RULES_VERSION) < RULES_VERSION)
  assert.is(counts.decisions, facts.audit.decisions)
  assert.is(counts.byOlderRules > 0, isOlder)
})

/** The resources of a version in which an organization may have twelve tags. */
const withTagLimit = (operations: readonly Operation[], members: Pick<Limit, 'earlier'>): readonly Resource[] =>
  withHost(operations).map((one) => {
    const { userTags, ...others } = one.limits.byName
    if (userTags === undefined) return one
    return {
      ...one,
      limits: { ...one.limits, byName: { ...others, userTags: { ...userTags, default: 12, ...members } } },
    }
  })

const namesLimits = (text: Uint8Array): boolean => (decodeUtf8(text) ?? '').includes('"limits":{"userTags":100}')

type Written = {
  readonly activity: string
  readonly data: { readonly type?: string; readonly decision?: { readonly basis: { readonly rules: number } } }
}

const eventsIn = (text: Uint8Array): readonly Written[] =>
  (decodeUtf8(text) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{"organization"'))
    .map((line) => JSON.parse(line) as Written) // a golden log

/** How many events there are of the activities of a type. */
const eventsOf = (text: Uint8Array, type: string): number => {
  const events = eventsIn(text)
  const activities = new Set(events.filter(({ data }) => data.type === type).map(({ activity }) => activity))
  return events.filter(({ activity }) => activities.has(activity)).length
}

it.run()
