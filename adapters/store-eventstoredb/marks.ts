import { randomUUID } from 'node:crypto'
import * as t from 'io-ts'
import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { E } from '../../core/prelude.ts'
import { refuse } from '../../core/ports/refusal.ts'
import { troubleOf } from './failures.ts'
import type { LogClient, StoredEvent } from './log-client.ts'
import type { StreamNames } from './names.ts'

/** What the store notes of itself in the log, in a stream of its own. The last event of the stream has all of it. */
export type Marks = {
  /** The id of the database with the read models that belong to this log. */
  readonly database?: string | undefined
  readonly importedTo: bigint
  /** Whether they were written before any event of an organization. */
  readonly begins?: boolean | undefined
}

export type MarksStream = {
  readonly read: () => Promise<Marks>
  /** The event before all events of organizations, if the store knows that it stands there. */
  readonly beginning: () => Promise<Pick<StoredEvent, 'position' | 'id'> | undefined>
  /** Notes what `change` makes of the marks; nothing if it gives the same. */
  readonly write: (change: (marks: Marks) => Marks) => Promise<Marks>
}

const MARKS_TYPE = 'countersign-marks'
const VERSION = 1
const ATTEMPTS = 20
const Kept = t.intersection([
  t.type({ version: t.literal(VERSION), importedTo: t.string }),
  t.partial({ database: t.string, begins: t.boolean }),
])

export const marksStream = (client: LogClient, { marks: stream }: StreamNames): MarksStream => {
  const last = async (): Promise<{ readonly marks: Marks; readonly revision: bigint | 'none' }> => {
    const found = await client.readStream(stream, { from: 'end', backwards: true, limit: 1 })
    const [event] = typeof found === 'string' ? [] : found
    if (found === 'deleted') throw refuse('STORE_UNREADABLE', 'the stream with the marks of the store was deleted')
    if (event === undefined) return { marks: { importedTo: 0n }, revision: 'none' }
    const marks = event.type === MARKS_TYPE ? decodeMarks(event.data) : undefined
    if (marks === undefined) throw refuse('STORE_UNREADABLE', NOT_OURS)
    return { marks, revision: event.revision }
  }

  return {
    read: async () => (await last()).marks,
    beginning: async () => {
      const found = await client.readStream(stream, { from: 'start', limit: 1 })
      const [event] = typeof found === 'string' ? [] : found
      if (event === undefined || event.revision !== 0n || event.type !== MARKS_TYPE) return undefined
      return decodeMarks(event.data)?.begins === true ? event : undefined
    },
    write: async (change) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { marks, revision } = await last()
        const next = change(marks)
        if (next === marks) return marks
        const event = { id: randomUUID(), type: MARKS_TYPE, data: encodeMarks(next), metadata: new Uint8Array() }
        try {
          await client.append(stream, revision, [event])
          return next
        } catch (error) {
          if (troubleOf(error)?._tag !== 'wrong-end') throw error
        }
      }
      throw refuse('UNAVAILABLE', 'other processes kept changing the marks of the store: try again')
    },
  }
}

const NOT_OURS =
  'the stream with the marks of the store is that of another application, or of a newer version: use another prefix'

const encodeMarks = ({ importedTo, ...rest }: Marks): Uint8Array =>
  encodeUtf8(JSON.stringify({ version: VERSION, ...rest, importedTo: String(importedTo) }))

const decodeMarks = (data: Uint8Array): Marks | undefined => {
  const text = decodeUtf8(data)
  let json: unknown
  try {
    json = text === undefined ? undefined : parseJson(text)
  } catch {
    return undefined
  }
  const found = Kept.decode(json)
  if (E.isLeft(found) || !/^[0-9]{1,19}$/.test(found.right.importedTo)) return undefined
  const { database, begins, importedTo } = found.right
  return {
    ...(database === undefined ? {} : { database }),
    ...(begins === undefined ? {} : { begins }),
    importedTo: BigInt(importedTo),
  }
}
