import * as t from '../../../core/codec/t.ts'
import { withBeginning } from '../../../core/resources/public-api.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { audit } from '../../../core/audit/audit.ts'
import type { AuditReport } from '../../../core/audit/report.ts'
import { decodeUtf8 } from '../../../core/bytes.ts'
import { createEngine } from '../../../core/create-engine.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { operation } from '../../../core/definition/operation.ts'
import { query } from '../../../core/definition/query.ts'
import { resource, type Resource } from '../../../core/definition/resource.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { state } from '../../../core/organization/state.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { InOrganization } from '../../../core/resources/in-organization.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { codesIn, exported } from '../../core/audit/logs.ts'
import { withHost } from '../../core/world/with-host.ts'
import { codeOf, right, testClock } from '../../core/world/world.ts'
import { answersOf, goldenLog, hashIn, keyOf, stateOf, type GoldenLog } from './golden.ts'
import { LIMITS } from './history.ts'
import { hostOperations } from './host-operations.ts'
import { imported } from './on-golden.ts'

/*
 * Changes that a developer will make to resources, their states and views, each on the golden log. Those of operations stand in
 * changes.test.ts.
 */
const it = suite('changes of resources, on golden logs')

const operations = hostOperations({ answers: [] })
const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z')

const audited = (text: Uint8Array, resources: readonly Resource[]): Promise<AuditReport> =>
  audit(
    {
      signatures: nodeSignatures(),
      attestations: simpleWebAuthn({ digest: nodeDigest() }),
      ids: nodeIds(),
      catalogue: right(catalogue(withBeginning(resources), intlTimeZones())),
    },
    readTranscript(nodeDigest(), [text]),
    { limits: [{ limits: {} }, { limits: LIMITS }] },
  )

const engineOn = (store: Storage, resources: readonly Resource[]): Promise<Engine> =>
  createEngine({ store, clock: testClock(NOW_MS), ids: nodeIds(), signatures: nodeSignatures(), resources })

/** Asserts that nothing of the log is judged, replayed or written otherwise with these resources. */
const changesNothing = async ({ text, facts }: GoldenLog, resources: readonly Resource[]): Promise<void> => {
  const { counts, findings } = await audited(text, resources)
  const { activities, stamps, decisions, executions, erased } = counts
  assert.equal(findings, [])
  assert.equal({ activities, stamps, decisions, executions, erased }, facts.audit)
  assert.is(counts.believed, 0)
  const storage = memoryStore()
  await imported({ text }, storage)
  const engine = await engineOn(storage, resources)
  for (const { organizationId } of facts.roots) {
    assert.is(hashIn(await stateOf(engine, organizationId)), facts.states[organizationId])
  }
  assert.is(await exported(storage.store), decodeUtf8(text))
  await engine.close()
}

const submitted = async (engine: Engine, { facts }: GoldenLog, path: string, type: string, parameters: object) => {
  const [{ organizationId } = { organizationId: '' }] = facts.roots
  const body = { type, timestampMs: String(NOW_MS), organizationId, parameters: { ...parameters } }
  return engine.submit(path, stampedRequest(keyOf(facts, organizationId), body))()
}

const notes = state({ name: 'notes', version: 1, codec: t.mapOf(t.string), initial: () => new Map() })
const writeNote = operation({
  type: 'ACTIVITY_TYPE_WRITE_NOTE',
  path: 'write_note',
  summary: 'Writes a note.',
  intent: t.fields({ text: t.string }),
  result: t.fields({}),
  change: t.fields({ text: t.string }),
  execute: ({ text }) => ({ result: {}, change: { text } }),
  evolve: (draft, { text }, { activityId }) => void notes.in(draft).set(activityId, text),
})
const noteResource = resource({ name: 'notes', states: [notes], operations: [writeNote] })

/** The tags as a later version keeps them: with another name for their name. */
const LabelledTag = t.fields({ tagId: t.string, label: t.string, createdAtMs: t.number, updatedAtMs: t.number })
const labelledTags = state({
  name: userTags.name,
  version: 2,
  codec: t.mapOf(LabelledTag),
  initial: () => new Map(),
  upcasters: {
    1: (older) =>
      (older as readonly (readonly [string, { readonly tagName: string }])[]).map(
        ([tagId, { tagName, ...tag }]): Json => [tagId, { ...tag, label: tagName }],
      ),
  },
})
const listTags = query({
  path: 'list_labels',
  summary: 'Lists the labels of all tags.',
  request: InOrganization,
  answer: t.fields({ labels: t.array(t.string) }),
  run: (_, { organization }) => ({ labels: [...labelledTags.of(organization).values()].map(({ label }) => label) }),
})

/** The resources, one of them changed. */
const changed = (name: string, change: (one: Resource) => Resource): readonly Resource[] =>
  withHost(operations).map((one) => (one.name === name ? change(one) : one))

/** What the engine has read of the log of an organization since it was opened, but for the second line, which projections ask for. */
const countingReads = (storage: Storage): { readonly store: Storage; readonly firstReads: bigint[] } => {
  const firstReads: bigint[] = []
  const readLog: Storage['store']['readLog'] = (organization, after, limit, options) => {
    if (after !== 1n || limit !== 1) firstReads.push(after)
    return storage.store.readLog(organization, after, limit, options)
  }
  return { store: { ...storage, store: { ...storage.store, readLog } }, firstReads }
}

/** A store of the log with a snapshot of its first organization at the end of it. */
const withSnapshot = async (golden: GoldenLog): Promise<{ readonly storage: Storage; readonly sequence: bigint }> => {
  const storage = memoryStore()
  await imported(golden, storage)
  const [{ organizationId } = { organizationId: '' }] = golden.facts.roots
  const engine = await createEngine({
    store: {
      ...storage,
      store: { ...storage.store, close: async () => undefined },
      readModels: { ...storage.readModels, close: async () => undefined },
    },
    clock: testClock(NOW_MS),
    ids: nodeIds(),
    signatures: nodeSignatures(),
    resources: withHost(operations),
  })
  await answersOf(engine, storage.store, organizationId, keyOf(golden.facts, organizationId))
  await engine.close()
  const saved = right(await storage.readModels.snapshot(organizationId)())
  return { storage, sequence: saved?.sequence ?? 0n }
}

const golden = goldenLog()
const { text } = golden

it(`a resource more`, async () => {
  const resources = [...withHost(operations), noteResource]
  await changesNothing(golden, resources)
  const { storage, sequence } = await withSnapshot(golden)
  const { store, firstReads } = countingReads(storage)
  const engine = await engineOn(store, resources)
  right(await submitted(engine, golden, 'write_note', 'ACTIVITY_TYPE_WRITE_NOTE', { text: 'of today' }))
  const log = await exported(storage.store)
  await engine.close()
  assert.ok(sequence > 100n && firstReads.every((after) => after >= sequence - 1n), firstReads.join())
  assert.equal((await audited(new TextEncoder().encode(log), resources)).findings, [])
})

it(`another version of a state, with the way to it`, async () => {
  const resources = changed('user-tags', (one) => ({
    ...one,
    states: [labelledTags],
    operations: [],
    unrouted: one.operations,
    queries: [listTags],
  }))
  const { storage, sequence } = await withSnapshot(golden)
  const { store, firstReads } = countingReads(storage)
  const engine = await engineOn(store, resources)
  const [{ organizationId } = { organizationId: '' }] = golden.facts.roots
  const key = keyOf(golden.facts, organizationId)
  const { labels } = right(await engine.query('list_labels', stampedRequest(key, { organizationId }))())
  const today = await engineOn(storage, withHost(operations))
  const tags = userTags.of(right(await today.replayOrganization(organizationId)()).state)
  assert.equal(
    labels,
    [...tags.values()].map(({ tagName }) => tagName),
  )
  assert.ok(
    firstReads.every((after) => after >= sequence - 1n),
    'it goes on from the snapshot',
  )
  await engine.close()
})

it(`an operation that nobody can submit any more`, async () => {
  const resources = changed('host', (one) => ({
    ...one,
    operations: one.operations.filter(({ path }) => path !== 'quote'),
    unrouted: one.operations.filter(({ path }) => path === 'quote'),
  }))
  await changesNothing(golden, resources)
  const storage = memoryStore()
  await imported(golden, storage)
  const engine = await engineOn(storage, resources)
  const gone = await submitted(engine, golden, 'quote', 'ACTIVITY_TYPE_QUOTE', { item: 'ink' })
  assert.is(codeOf(gone), 'ROUTE_NOT_FOUND')
  await engine.close()
})

it(`an operation that is gone altogether is a finding, and closes the organization`, async () => {
  const resources = changed('host', (one) => ({
    ...one,
    operations: one.operations.filter(({ path }) => path !== 'quote'),
  }))
  assert.ok(codesIn(await audited(text, resources)).includes('OPERATION_UNKNOWN'))
  const { storage } = await withSnapshot(golden)
  const engine = await engineOn(storage, resources)
  const note = await submitted(engine, golden, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'of today',
    userIds: [],
  })
  assert.is(codeOf(note), 'ORGANIZATION_CLOSED')
  await engine.close()
})

it(`a changed view`, () =>
  changesNothing(
    golden,
    changed('user-tags', (one) => ({
      ...one,
      queries: [
        query({
          path: 'list_user_tags',
          summary: 'Lists how many tags there are.',
          request: InOrganization,
          answer: t.fields({ count: t.number }),
          run: (_, { organization }) => ({ count: userTags.of(organization).size }),
        }),
      ],
    })),
  ))

it.run()
