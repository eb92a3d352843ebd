import type { ReadModels, Snapshot } from '../../core/ports/read-models.ts'
import type { WriterClient } from './writer-client.ts'
import { packRows } from './pack-rows.ts'
import type { RowsReader } from './read-rows.ts'
import type { Reading } from './reading.ts'

export const readModelsWith = (writer: WriterClient, reader: RowsReader, { attempt, close }: Reading): ReadModels => {
  return {
    checkpoint: (projection) => attempt(() => reader.checkpoint(projection)),
    move: (projection, from, to, changes) => writer.ask('move', { projection, from, to, changes: packRows(changes) }),
    row: (projection, organization, key) => attempt(() => reader.row(projection, organization, key)),
    rows: (projection, organization, selection) => attempt(() => reader.rows(projection, organization, selection)),
    drop: (projection) => writer.ask('drop', { projection }),
    projections: () => attempt(() => reader.projections()),
    saveSnapshot: (snapshot, keeps, drops = 0n) =>
      writer.ask('saveSnapshot', { snapshot: copied(snapshot), keeps, drops }),
    snapshot: (organization, version = '') => attempt(() => reader.snapshot(organization, version)),
    dropSnapshot: (organization) => writer.ask('dropSnapshot', { organization }),
    snapshotDrops: (organization) => attempt(() => reader.snapshotDrops(organization)),
    dropSnapshots: () => writer.ask('dropSnapshots', {}),
    close: () => close(),
  }
}

/** Copies the bytes, so that the snapshot does not keep a larger buffer in memory. */
const copied = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  parts: snapshot.parts.map(({ name, version, bytes }) => ({ name, version, bytes: new Uint8Array(bytes) })),
})
