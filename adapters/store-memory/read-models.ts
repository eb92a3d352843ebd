import { parseJson } from '../../core/json/parse-json.ts'
import { E, type TE } from '../../core/prelude.ts'
import { failure } from '../../core/failure.ts'
import type { Failure, Json } from '../../core/failure.ts'
import type { Facets, ReadModels, RowChange, Snapshot, SnapshotPlace } from '../../core/ports/read-models.ts'
import { mergedText } from '../../core/ports/row-changes.ts'
import { selectRows } from '../../core/ports/row-selection.ts'

/** Values are kept as text, so that a reader that changes its value does not change the value of the next reader. */
type Kept = { readonly key: string; readonly order: bigint; readonly facets: Facets; readonly text: string }
type Projection = { checkpoint: bigint; readonly spaces: Map<string, Map<string, Kept>> }

export const memoryReadModels = (): ReadModels => {
  const projections = new Map<string, Projection>()
  /** The snapshots of an organization by version; the one that was saved last is the last one. */
  const snapshots = new Map<string, Map<string, Snapshot>>()
  const drops = new Map<string, bigint>()
  const watching = new Set<() => void>()
  let isClosed = false

  const tellOfMove = (): void => watching.forEach((onMoved) => queueMicrotask(onMoved))

  const space = (projection: string, organization: string) => projections.get(projection)?.spaces.get(organization)

  const move = (name: string, from: bigint, to: bigint, changes: readonly RowChange[]): E.Either<Failure, void> => {
    const found: Projection = projections.get(name) ?? { checkpoint: 0n, spaces: new Map() }
    if (found.checkpoint !== from)
      return E.left(failure('CONFLICT', 'the checkpoint was moved by somebody else: read it again'))
    for (const change of changes) {
      const rows = found.spaces.get(change.organization) ?? new Map<string, Kept>()
      found.spaces.set(change.organization, rows)
      apply(rows, change)
    }
    found.checkpoint = to
    projections.set(name, found)
    tellOfMove()
    return E.right(undefined)
  }

  const dropsOf = (organization: string): bigint => drops.get(organization) ?? 0n

  const saveSnapshot = (
    snapshot: Snapshot,
    keeps: SnapshotPlace | undefined,
    known: bigint,
  ): E.Either<Failure, void> => {
    if (dropsOf(snapshot.organization) !== known)
      return E.left(failure('CONFLICT', 'the snapshots were dropped after the events of this one were read'))
    const own = snapshots.get(snapshot.organization) ?? new Map<string, Snapshot>()
    const before = own.get(snapshot.version)
    if (keeps !== undefined && (before?.sequence !== keeps.sequence || before?.hash !== keeps.hash))
      return E.left(failure('CONFLICT', 'the snapshot to be kept is another one'))
    const parts = new Map(keeps === undefined ? [] : before?.parts.map((part) => [part.name, part]))
    for (const { name, version, bytes } of snapshot.parts)
      parts.set(name, { name, version, bytes: new Uint8Array(bytes) })
    const inOrder = [...parts.values()].sort((a, b) => compare(a.name, b.name))
    own.delete(snapshot.version)
    own.set(snapshot.version, { ...snapshot, parts: inOrder })
    const [oldest] = own.keys()
    if (own.size > VERSIONS_MAX && oldest !== undefined) own.delete(oldest)
    snapshots.set(snapshot.organization, own)
    return E.right(undefined)
  }

  const attemptEither =
    <A>(run: () => E.Either<Failure, A>): TE.TaskEither<Failure, A> =>
    () =>
      Promise.resolve(isClosed ? E.left(failure('UNAVAILABLE', 'the read models are closed')) : run())
  const attempt = <A>(run: () => A): TE.TaskEither<Failure, A> => attemptEither(() => E.right(run()))

  return {
    checkpoint: (projection) => attempt(() => projections.get(projection)?.checkpoint ?? 0n),
    move: (projection, from, to, changes) => attemptEither(() => move(projection, from, to, changes)),
    row: (projection, organization, key) => attempt(() => valueOf(space(projection, organization)?.get(key))),
    rows: (projection, organization, selection) =>
      attempt(() =>
        selectRows([...(space(projection, organization)?.values() ?? [])], selection).map(({ key, order, text }) => ({
          ...{ key, order },
          value: parseJson(text) as Json, // our own text
        })),
      ),
    drop: (projection) =>
      attempt(() => {
        projections.delete(projection)
        tellOfMove()
      }),
    watch: (onMoved) => {
      const one = (): void => onMoved() // one entry per call, even for the same function
      watching.add(one)
      return () => void watching.delete(one)
    },
    projections: () => attempt(() => [...projections.keys()].sort()),
    saveSnapshot: (snapshot, keeps, known = 0n) => attemptEither(() => saveSnapshot(snapshot, keeps, known)),
    snapshot: (organization, version = '') => attempt(() => ofVersion(snapshots.get(organization), version)),
    dropSnapshot: (organization) =>
      attempt(() => {
        snapshots.delete(organization)
        drops.set(organization, dropsOf(organization) + 1n)
      }),
    snapshotDrops: (organization) => attempt(() => dropsOf(organization)),
    dropSnapshots: () => attempt(() => snapshots.clear()),
    close: async () => {
      isClosed = true
    },
  }
}

/** How many versions of a snapshot are kept. */
const VERSIONS_MAX = 2

const ofVersion = (own: ReadonlyMap<string, Snapshot> | undefined, version: string): Snapshot | undefined =>
  own?.get(version) ?? [...(own?.values() ?? [])].at(-1)

const apply = (rows: Map<string, Kept>, change: RowChange): void => {
  const { key } = change
  if (change._tag === 'delete') return void rows.delete(key)
  if (change._tag === 'put') {
    const { order, facets, value } = change
    return void rows.set(key, { key, order, facets, text: JSON.stringify(value) })
  }
  const found = rows.get(key)
  if (found === undefined) return
  rows.set(key, { ...found, facets: { ...found.facets, ...change.facets }, text: mergedText(found.text, change.value) })
}

const valueOf = (kept: Kept | undefined): Json | undefined =>
  kept === undefined ? undefined : (parseJson(kept.text) as Json) // our own text

const compare = <A extends bigint | string>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)
