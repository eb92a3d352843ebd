import type { ReadModels } from '../../core/ports/read-models.ts'
import type { Lane } from './lane.ts'
import { packRows } from './pack-rows.ts'
import type { RowsReader } from './read-rows.ts'
import { readingWith } from './reading.ts'

export const sqliteReadModels = (lane: Lane, reader: RowsReader): ReadModels => {
  const { attempt, close } = readingWith(reader)
  return {
    checkpoint: (projection) => attempt(() => reader.checkpoint(projection)),
    move: (projection, from, to, changes) => lane.ask('move', { projection, from, to, changes: packRows(changes) }),
    row: (projection, organization, key) => attempt(() => reader.row(projection, organization, key)),
    rows: (projection, organization, selection) => attempt(() => reader.rows(projection, organization, selection)),
    drop: (projection) => lane.ask('drop', { projection }),
    projections: () => attempt(() => reader.projections()),
    saveSnapshot: (snapshot) =>
      lane.ask('saveSnapshot', { snapshot: { ...snapshot, state: new Uint8Array(snapshot.state) } }),
    snapshot: (organization) => attempt(() => reader.snapshot(organization)),
    dropSnapshots: () => lane.ask('dropSnapshots', {}),
    close: () => close(),
  }
}
