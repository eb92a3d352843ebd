import type { Snapshot, SnapshotPart } from '../../core/ports/read-models.ts'
import { failsWith, right, same } from './expect.ts'
import { storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

export const organization = 'acme'

const part = (name: string, ...bytes: readonly number[]): SnapshotPart => ({
  name,
  version: 1,
  bytes: Uint8Array.of(...bytes),
})
const parts = [part('tags', 0, 255, 10), part('users')]
export const snapshot: Snapshot = { organization, sequence: 7n, hash: 'ab', version: 'v1', parts }

/** What every `ReadModels` promises of snapshots. */
export const snapshotCases: readonly StoreCase[] = [
  storeCase('53', "replaces an organization's snapshot, and drops all of them", [], async ({ readModels }) => {
    same(await right(readModels.snapshot(organization)), undefined)
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other' }))
    await right(readModels.saveSnapshot(snapshot))
    same(await right(readModels.snapshot(organization)), snapshot)
    await right(readModels.saveSnapshot({ ...snapshot, sequence: 9n, version: 'v2' }))
    same(await right(readModels.snapshot(organization)), { ...snapshot, sequence: 9n, version: 'v2' })
    await right(readModels.dropSnapshots())
    same(await right(readModels.snapshot('other')), undefined)
    await right(readModels.saveSnapshot({ ...snapshot, parts: [] }))
    same(await right(readModels.snapshot(organization)), { ...snapshot, parts: [] })
  }),

  storeCase('53b', 'keeps the parts of a snapshot that the next one does not name', [], async ({ readModels }) => {
    const next = { ...snapshot, sequence: 9n, hash: 'cd' }
    await failsWith('CONFLICT', readModels.saveSnapshot(next, snapshot))
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other' }))
    await right(readModels.saveSnapshot(snapshot))
    await right(readModels.saveSnapshot({ ...next, parts: [part('users', 1), part('apples', 2)] }, snapshot))
    const merged = { ...next, parts: [part('apples', 2), parts[0], part('users', 1)] }
    same(await right(readModels.snapshot(organization)), merged)
    for (const keeps of [snapshot, { ...next, hash: 'ef' }, { ...next, sequence: 8n }])
      await failsWith('CONFLICT', readModels.saveSnapshot({ ...next, sequence: 10n, parts: [] }, keeps))
    same(await right(readModels.snapshot(organization)), merged)
    same(await right(readModels.snapshot('other')), { ...snapshot, organization: 'other' })
    await right(readModels.saveSnapshot({ ...next, parts: [part('users')] }))
    same((await right(readModels.snapshot(organization)))?.parts, [part('users')])
  }),

  storeCase('53d', 'keeps the snapshots of two versions apart, and lets the oldest go', [], async ({ readModels }) => {
    const saved = async (version?: string) => right(readModels.snapshot(organization, version))
    const [one, two] = [snapshot, { ...snapshot, sequence: 9n, version: 'v2', parts: [part('users', 2)] }]
    await right(readModels.saveSnapshot(one))
    same(await saved('v2'), one)
    await right(readModels.saveSnapshot(two))
    same([await saved('v1'), await saved('v2'), await saved('v3'), await saved()], [one, two, two, two])
    await failsWith('CONFLICT', readModels.saveSnapshot({ ...one, sequence: 10n }, two))
    const next = { ...one, sequence: 10n, hash: 'cd', parts: [part('users', 3)] }
    await right(readModels.saveSnapshot(next, one))
    const merged = { ...next, parts: [parts[0], part('users', 3)] }
    same([await saved('v1'), await saved('v2'), await saved()], [merged, two, merged])
    await right(readModels.saveSnapshot({ ...one, organization: 'other', version: 'v3' }))
    await right(readModels.saveSnapshot({ ...one, version: 'v3' }))
    same(
      [await saved('v1'), await saved('v3'), await saved('v2')],
      [merged, { ...one, version: 'v3' }, { ...one, version: 'v3' }],
    )
    await failsWith('CONFLICT', readModels.saveSnapshot({ ...two, sequence: 11n }, two))
    await right(readModels.dropSnapshot(organization))
    same([await saved('v1'), await saved('v3'), await saved()], [undefined, undefined, undefined])
    same((await right(readModels.snapshot('other')))?.version, 'v3')
  }),

  storeCase('53c', "drops one organization's snapshot, and no other", [], async ({ readModels }) => {
    await right(readModels.dropSnapshot(organization))
    await right(readModels.saveSnapshot(snapshot, undefined, 1n))
    for (const id of ['other', 'acm', 'acme/']) await right(readModels.saveSnapshot({ ...snapshot, organization: id }))
    await right(readModels.dropSnapshot(organization))
    await right(readModels.dropSnapshot(organization))
    await right(readModels.dropSnapshot('nobody'))
    same(await right(readModels.snapshot(organization)), undefined)
    for (const id of ['other', 'acm', 'acme/'])
      same(await right(readModels.snapshot(id)), { ...snapshot, organization: id })
    await failsWith('CONFLICT', readModels.saveSnapshot({ ...snapshot, sequence: 9n }, snapshot))
    await right(readModels.saveSnapshot({ ...snapshot, sequence: 9n }, undefined, 3n))
    same(await right(readModels.snapshot(organization)), { ...snapshot, sequence: 9n })
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other', parts: [part('users', 1)] }, snapshot))
    same((await right(readModels.snapshot('other')))?.parts[1], part('users', 1))
    await right(readModels.dropSnapshots())
    same(await right(readModels.snapshot('acm')), undefined)
  }),

  storeCase('53e', 'refuses a snapshot of events that were read before the last drop', [], async ({ readModels }) => {
    const later = { ...snapshot, sequence: 99n, version: 'v2' }
    same(await right(readModels.snapshotDrops(organization)), 0n)
    await right(readModels.saveSnapshot(snapshot, undefined, 0n))
    await failsWith('CONFLICT', readModels.saveSnapshot(later, undefined, 1n))
    await right(readModels.dropSnapshot(organization))
    same(await right(readModels.snapshotDrops(organization)), 1n)
    for (const one of [snapshot, later]) await failsWith('CONFLICT', readModels.saveSnapshot(one, undefined, 0n))
    await failsWith('CONFLICT', readModels.saveSnapshot(later))
    same(await right(readModels.snapshot(organization)), undefined)
    await right(readModels.saveSnapshot(snapshot, undefined, 1n))
    await failsWith('CONFLICT', readModels.saveSnapshot(later, snapshot, 0n))
    await right(readModels.saveSnapshot({ ...snapshot, sequence: 8n }, snapshot, 1n))
    same(await right(readModels.snapshot(organization)), { ...snapshot, sequence: 8n })
    same(await right(readModels.snapshotDrops('other')), 0n)
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other' }))
    await right(readModels.dropSnapshots())
    same(await right(readModels.snapshotDrops(organization)), 1n)
    await failsWith('CONFLICT', readModels.saveSnapshot(snapshot))
  }),
]
