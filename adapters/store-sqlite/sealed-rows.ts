import type { SealedPlace, SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import type { SealedReader } from './read-sealed.ts'
import type { Reading } from './reading.ts'
import type { WriterClient } from './writer-client.ts'

export const sealedRowsWith = (
  writer: WriterClient,
  reader: SealedReader,
  { attempt }: Pick<Reading, 'attempt'>,
): SealedRows => ({
  put: (row) => writer.ask('putSealed', { row: copied(row) }),
  get: (place) => attempt(() => reader.get(place)),
  replace: (row, by) => writer.ask('replaceSealed', { row: copied(row), by: copied(by) }),
  delete: (place) => writer.ask('deleteSealed', { place: placeOf(place) }),
  deleteAll: (organization) => writer.ask('deleteAllSealed', { organization }),
  list: (after, limit) => attempt(() => reader.list(after, limit)),
})

const placeOf = ({ organization, id }: SealedPlace): SealedPlace => ({ organization, id })

/** Copies the bytes, so that a larger buffer is not sent as a whole. */
const copied = ({ organization, id, kind, dataKey, bytes }: SealedRow): SealedRow => ({
  ...{ organization, id, kind, dataKey },
  bytes: new Uint8Array(bytes),
})
