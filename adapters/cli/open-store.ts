import { realpath } from 'node:fs/promises'
import type { Notice } from '../../core/engine.ts'
import type { Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { SqliteStoreOptions } from '../store-sqlite/open.ts'
import { checkBeside, readEventStoreDb, writeEventStoreDb, type BesideFlags } from './open-eventstoredb.ts'
import { readPostgres, writePostgres } from './open-postgres.ts'
import { filesOfReadModels } from './open-read-models.ts'
import { canBeMadeAt, filesBeside, fromFile, inFolder } from './open-sqlite.ts'
import { resultOf, unusable } from './stop.ts'
import type { Waiting } from './wait-for-server.ts'

export type { BesideFlags } from './open-eventstoredb.ts'

/** A store that a command writes. Until `keep` is called, `end` removes what was made for it. */
export type Written = {
  readonly storage: Storage
  /** Call it when the command has succeeded: the files and folders that were made stay. */
  readonly keep: () => void
  /** Closes the store, if it is open, and removes the files and folders that were made for it, unless `keep` was called. */
  readonly end: () => Promise<void>
}

export type WriteOptions = {
  readonly onNotice: (notice: Notice) => void
  /** Whether `end` removes a new store only `if-empty`, or with `all` its content. */
  readonly discard: 'if-empty' | 'all'
  /** How long to wait for a server that is starting. Default: not at all. */
  readonly waiting?: Waiting
  /** The flags of a store whose log is on EventStoreDB. */
  readonly beside: BesideFlags
}

/**
 * Opens the store of the URL for writing; makes it, with its folder, if there is none. Files that existed before are never removed.
 */
export const openToWrite = (url: string, options: WriteOptions): TE.TaskEither<Failure, Written> => {
  const { driver, rest } = driverOf(url, options.beside)
  return () => driver.write(rest, options)
}

/** Opens an existing store for reading; a server may be writing it at the same time. */
export const openToRead = (url: string, beside: BesideFlags): Promise<Storage> => {
  const { driver, rest } = driverOf(url, beside)
  return resultOf(() => driver.read(rest, beside))
}

/** Opens a store for writing, and ends it after `use`, also if that throws. */
export const writing = async <A>(
  url: string,
  options: WriteOptions,
  use: (storage: Storage, keep: () => void) => Promise<A>,
): Promise<A> => {
  const { storage, keep, end } = await resultOf(openToWrite(url, options))
  try {
    return await use(storage, keep)
  } finally {
    await end()
  }
}

/** Closes a store that has no engine. */
export const close = async ({ readModels, store }: Storage): Promise<void> => {
  await readModels.close()
  await store.close()
}

/** Whether the store exists only in memory. */
export const isVolatile = (url: string): boolean => driverOf(url).driver === memory

/** Whether the store is in a PostgreSQL database. */
export const isDatabase = (url: string): boolean => driverOf(url).driver === postgres

/** Whether the store does not exist, and can probably be made. */
export const canBeMade = (url: string): Promise<boolean> => {
  const { driver, rest } = driverOf(url)
  return driver.canBeMade(rest)
}

/** Whether the file is one of the store's files, also by a link. */
export const isOfStore = async (url: string, file: string, beside: BesideFlags): Promise<boolean> => {
  const { driver, rest } = driverOf(url, beside)
  const known = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
  const found = await known(file)
  return found !== undefined && (await Promise.all(driver.files(rest, beside).map(known))).includes(found)
}

/** The files that a store has or may have, the main one first; none if it exists only in memory. */
export const filesOf = (url: string, beside: BesideFlags): readonly string[] => {
  const { driver, rest } = driverOf(url, beside)
  return driver.files(rest, beside)
}

type Opening<A> = Promise<E.Either<Failure, A>>
type Driver = {
  /** Stops the command if a store cannot have this name. */
  readonly check: (rest: string, beside: BesideFlags | undefined) => void
  readonly read: (rest: string, beside: BesideFlags) => Opening<Storage>
  readonly write: (rest: string, options: WriteOptions) => Opening<Written>
  readonly canBeMade: (rest: string) => Promise<boolean>
  readonly files: (rest: string, beside: BesideFlags) => readonly string[]
}

/** @param beside  undefined if only the kind of the store matters */
const driverOf = (url: string, beside?: BesideFlags): { readonly driver: Driver; readonly rest: string } => {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? []
  const driver = drivers.get(scheme.toLowerCase())
  // A URL may carry a password: the line does not repeat it. A path has none.
  if (/^[^:@?]+$/.test(url)) throw unusable(`the store URL has no scheme; did you mean sqlite:${url}?`)
  if (driver === undefined) throw unusable(`the store URL has an unknown scheme: there are ${SCHEMES}`)
  driver.check(rest, beside)
  return { driver, rest }
}

const SCHEMES = 'memory:, sqlite:PATH, postgres://HOST/DATABASE and esdb://HOST'

const openMemory = async (): Promise<Storage> => (await import('../store-memory/index.ts')).memoryStore()

const memory: Driver = {
  check: (rest) => {
    if (rest !== '') throw unusable('the store URL memory: has nothing behind it')
  },
  read: async () => E.right(await openMemory()),
  write: async () => {
    const storage = await openMemory()
    return E.right({ storage, keep: () => undefined, end: () => close(storage) })
  },
  canBeMade: () => Promise.resolve(true),
  files: () => [],
}

const sqlite: Driver = {
  check: (path) => {
    if (path === '' || /^\/\/[^/]/.test(path))
      throw unusable('the store URL sqlite: has a path behind it, such as sqlite:data/countersign.db')
  },
  read: (path) => fromFile(path, () => openSqlite(path, { readOnly: true })),
  write: async (path, { onNotice, discard }) => {
    const made = await inFolder(path, () => openSqlite(path, { onNotice }))
    if (E.isLeft(made)) return made
    const { opened: storage, removeFolders } = made.right
    storage.discard(discard)
    const end = async (): Promise<void> => {
      await close(storage)
      await removeFolders() // only empty ones
    }
    return E.right({ storage, keep: () => storage.discard('nothing'), end })
  },
  canBeMade: canBeMadeAt,
  files: filesBeside,
}

/** Other processes may use the tables as soon as they are there, so only an import, which has to be alone, takes its tables away again. */
const postgres: Driver = {
  check: () => undefined,
  read: (rest) => readPostgres(`postgres:${rest}`),
  write: async (rest, { onNotice, discard, waiting }) => {
    const opened = await writePostgres(`postgres:${rest}`, onNotice, waiting)
    if (E.isLeft(opened)) return opened
    const storage = opened.right
    if (discard === 'all') storage.discard('all')
    return E.right({ storage, keep: () => storage.discard('nothing'), end: () => close(storage) })
  },
  canBeMade: () => Promise.resolve(false),
  files: () => [],
}

/** Events that were appended cannot be taken back, and the read models belong to the log from the start: nothing is removed. */
const eventStoreDb = (scheme: string): Driver => ({
  check: (_, beside) => beside && checkBeside(beside),
  read: (rest, beside) => readEventStoreDb(`${scheme}:${rest}`, beside),
  write: async (rest, { onNotice, waiting, beside }) => {
    const opened = await writeEventStoreDb(`${scheme}:${rest}`, beside, onNotice, waiting)
    return E.map((storage: Storage) => ({ storage, keep: () => undefined, end: () => close(storage) }))(opened)
  },
  canBeMade: () => Promise.resolve(false),
  files: (_, { readModels = '' }) => filesOfReadModels(readModels),
})

const drivers: ReadonlyMap<string, Driver> = new Map([
  ['memory', memory],
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['postgresql', postgres],
  ...['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'].map(
    (scheme) => [scheme, eventStoreDb(scheme)] as const,
  ),
])

const openSqlite = async (path: string, options: Omit<SqliteStoreOptions, 'path'>) =>
  (await import('../store-sqlite/open.ts')).openSqliteStore({ path, ...options })()
