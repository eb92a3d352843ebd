import { randomUUID } from 'node:crypto'
import * as t from 'io-ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import { E } from '../../core/prelude.ts'
import { Refusal, refuse } from '../../core/ports/refusal.ts'
import { value } from './failures.ts'
import { IDENTITY, INDEX, isHidden, STATE, stateOf } from './index-rows.ts'
import type { LogReader } from './log-reader.ts'
import type { MarksStream } from './marks.ts'

export type IdentityPorts = {
  readonly readModels: ReadModels
  readonly marks: MarksStream
  readonly reader: Pick<LogReader, 'lastPosition' | 'readBehind'>
}

export type IdentityOptions = { readonly adoptReadModels: boolean; readonly readOnly: boolean }

/**
 * Finds out whether log and database belong together: each has the other's id. Two new ones are joined here.
 *
 * @returns the id of the database
 */
export const identify = async (ports: IdentityPorts, options: IdentityOptions): Promise<string> => {
  const { readModels, marks } = ports
  const [named, found] = [(await marks.read()).database, await idOf(readModels)]
  if (named !== undefined && named === found) return named
  try {
    return await joined(ports, options, { named, found })
  } catch (error) {
    // The end of the log is found slowly on a server with much else: another process may have begun the log since its marks were read.
    if ((await marks.read()).database !== named) return identify(ports, options)
    throw error
  }
}

/** Joins them if both are new, or if the database is to be adopted. */
const joined = async (
  ports: IdentityPorts,
  { adoptReadModels, readOnly }: IdentityOptions,
  { named, found }: { readonly named: string | undefined; readonly found: string | undefined },
): Promise<string> => {
  const { readModels, marks, reader } = ports
  if (named === undefined && (await isForeign(reader))) throw ofAnother()
  if (readOnly) {
    if (named === undefined && (await reader.lastPosition()) === 0n)
      throw refuse('STORE_UNREADABLE', 'there is no store under this prefix: open it for writing once')
    throw notTheirs()
  }
  if (adoptReadModels) return adopt(ports)
  const isNew = named === undefined && (await reader.lastPosition()) === 0n && (await isEmpty(readModels))
  if (!isNew) throw notTheirs()
  const database = await writeId(readModels, found ?? randomUUID())
  const { database: kept } = await marks.write((before) =>
    before.database === undefined ? { ...before, database, begins: true } : before,
  )
  if (kept !== database) throw notTheirs()
  return database
}

/** Whether somebody else has begun streams of our names. */
const isForeign = async ({ readBehind }: Pick<LogReader, 'readBehind'>): Promise<boolean> => {
  const [first] = await readBehind(0n, 1, 1)
  return first !== undefined && first.logged === undefined
}

const ofAnother = (): Refusal =>
  refuse(
    'CONFIGURATION_INVALID',
    'prefix: the streams under this prefix are those of another application: give the store another prefix',
  )

const notTheirs = (): Refusal =>
  refuse(
    'CONFIGURATION_INVALID',
    'readModels: this database does not belong to this log. Give the store the database that it was first opened with; or set adoptReadModels ' +
      'once, which throws away all rows and snapshots of this database and builds them again from the log; sealed rows stay',
  )

/** Writes the id again into a database whose rows were thrown away while the store was open. */
export const identifyAgain = async (readModels: ReadModels, database: string): Promise<void> => {
  if ((await writeId(readModels, database)) !== database)
    throw refuse(
      'UNAVAILABLE',
      'the read models belong to another log now: give the store those that it was opened with',
    )
}

/** Sealed rows stay: they cannot be made again, and those of another log are under ids that this one does not have. */
const adopt = async ({ readModels, marks }: IdentityPorts): Promise<string> => {
  for (const projection of await value(readModels.projections())) await value(readModels.drop(projection))
  await value(readModels.drop(INDEX))
  await value(readModels.drop(IDENTITY))
  await value(readModels.dropSnapshots())
  const database = await writeId(readModels, randomUUID())
  await marks.write((before) => ({ ...before, database }))
  return database
}

const Id = t.type({ id: t.string })

const idOf = async (readModels: ReadModels): Promise<string | undefined> => {
  const found = Id.decode(await value(readModels.row(IDENTITY, STATE, 'database')))
  return E.isRight(found) ? found.right.id : undefined
}

/** Gives the id that the database has afterwards: that of another process, if it was faster. */
const writeId = async (readModels: ReadModels, id: string): Promise<string> => {
  const from = await value(readModels.checkpoint(IDENTITY)) // first: whoever writes between the two is met as a conflict
  const before = await idOf(readModels)
  if (before !== undefined) return before
  const row = { organization: STATE, key: 'database', order: 0n, facets: {}, value: { id } }
  const written = await readModels.move(IDENTITY, from, from + 1n, [{ _tag: 'put', ...row }])()
  if (E.isLeft(written) && written.left.code !== 'CONFLICT') throw new Refusal(written.left)
  return (await idOf(readModels)) ?? id
}

/** Whether nothing was ever projected into the database. */
const isEmpty = async (readModels: ReadModels): Promise<boolean> => {
  const projections = await value(readModels.projections())
  const state = stateOf(await value(readModels.row(INDEX, STATE, 'state')))
  return projections.every(isHidden) && (state?.position ?? 0n) === 0n
}
