import type { ReadModels, RowChange } from '../../core/ports/read-models.ts'
import type { Lane } from './lane.ts'
import type { RowsReader } from './read-rows.ts'
import { readingWith } from './reading.ts'
import type { Change } from './requests.ts'

export const sqliteReadModels = (lane: Lane, reader: RowsReader): ReadModels => {
  const { attempt, close } = readingWith(reader)
  return {
    checkpoint: (projection) => attempt(() => reader.checkpoint(projection)),
    move: (projection, from, to, changes) => lane.ask('move', { projection, from, to, changes: changes.map(spelled) }),
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

/** With its value as text: that crosses to the worker faster than the value itself, and is what the file keeps. */
const spelled = (change: RowChange): Change => {
  if (change._tag === 'delete') return change
  const { value, ...others } = change
  return { ...others, text: JSON.stringify(value) }
}
