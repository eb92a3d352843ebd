import { existsSync } from 'node:fs'
import { access, constants, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Notice } from '../../core/engine.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { SqliteStoreOptions } from '../store-sqlite/open.ts'
import { makeFolder, removeFolders } from './folders.ts'
import { readPostgres, writePostgres, type Waiting } from './open-postgres.ts'
import { resultOf, systemReason, unusable } from './stop.ts'

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
}

/**
 * Opens the store of the URL for writing; makes it, with its folder, if there is none. Files that existed before are never removed.
 */
export const openToWrite = (url: string, options: WriteOptions): TE.TaskEither<Failure, Written> => {
  const { driver, rest } = driverOf(url)
  return () => driver.write(rest, options)
}

/** Opens an existing store for reading; a server may be writing it at the same time. */
export const openToRead = (url: string): Promise<Storage> => {
  const { driver, rest } = driverOf(url)
  return resultOf(() => driver.read(rest))
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
export const isOfStore = async (url: string, file: string): Promise<boolean> => {
  const { driver, rest } = driverOf(url)
  const known = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
  const found = await known(file)
  return found !== undefined && (await Promise.all(driver.files(rest).map(known))).includes(found)
}

/** The files that a store has or may have, the main one first; none if it exists only in memory. */
export const filesOf = (url: string): readonly string[] => {
  const { driver, rest } = driverOf(url)
  return driver.files(rest)
}

type Opening<A> = Promise<E.Either<Failure, A>>
type Driver = {
  /** Stops the command if a store cannot have this name. */
  readonly check: (rest: string) => void
  readonly read: (rest: string) => Opening<Storage>
  readonly write: (rest: string, options: WriteOptions) => Opening<Written>
  readonly canBeMade: (rest: string) => Promise<boolean>
  readonly files: (rest: string) => readonly string[]
}

const driverOf = (url: string): { readonly driver: Driver; readonly rest: string } => {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? []
  const driver = drivers.get(scheme.toLowerCase())
  // A URL may carry a password: the line does not repeat it.
  if (driver === undefined)
    throw unusable('the store URL has an unknown scheme: there are memory:, sqlite:PATH and postgres://HOST/DATABASE')
  driver.check(rest)
  return { driver, rest }
}

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
  read: async (path) => {
    try {
      await access(path, constants.R_OK)
    } catch (error) {
      return cannotOpen(path, failure('UNAVAILABLE', systemReason(error)))
    }
    return openSqlite(path, { readOnly: true })
  },
  write: async (path, options) => {
    let opened = await writeSqlite(path, options)
    // A failed start of another process may have removed the folder that it had made, before this process had a file in it.
    for (let tries = 1; E.isLeft(opened) && tries < TRIES_MAX && !existsSync(dirname(path)); tries++)
      opened = await writeSqlite(path, options)
    return opened
  },
  canBeMade: async (path) => {
    if (existsSync(path)) return false
    return access(existing(dirname(path)), constants.W_OK).then(
      () => true,
      () => false,
    )
  },
  files: (path) => ['', '-wal', '-shm', '.lock'].map((beside) => `${path}${beside}`),
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

const drivers: ReadonlyMap<string, Driver> = new Map([
  ['memory', memory],
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['postgresql', postgres],
])

const openSqlite = async (path: string, options: Omit<SqliteStoreOptions, 'path'>) =>
  (await import('../store-sqlite/open.ts')).openSqliteStore({ path, ...options })()

const writeSqlite = async (path: string, { onNotice, discard }: WriteOptions): Opening<Written> => {
  const folders = await makeFolderOf(path)
  if (E.isLeft(folders)) return folders
  const opened = await openSqlite(path, { onNotice })
  if (E.isLeft(opened)) {
    await removeFolders(folders.right)
    return opened
  }
  const storage = opened.right
  storage.discard(discard)
  const end = async (): Promise<void> => {
    await close(storage)
    await removeFolders(folders.right) // only empty ones
  }
  return E.right({ storage, keep: () => storage.discard('nothing'), end })
}

const TRIES_MAX = 5

const cannotOpen = (path: string, cause: Failure): E.Either<Failure, never> =>
  E.left({ ...cause, message: `cannot open the store ${path}: ${cause.message}` })

const makeFolderOf = async (path: string): Opening<readonly string[]> => {
  const folder = dirname(path)
  try {
    return E.right(await makeFolder(folder))
  } catch (error) {
    const reason = systemReason(await causeOf(folder, error))
    return E.left(failure('UNAVAILABLE', `cannot make the folder of the store ${path}: ${reason}`))
  }
}

/** The real cause of an error: Node reports a missing folder if the file system is read-only. */
const causeOf = async (folder: string, error: unknown): Promise<unknown> =>
  access(existing(folder), constants.W_OK).then(
    () => error,
    (cause: unknown) => cause,
  )

/** The folder, or the nearest existing folder above it. */
const existing = (folder: string): string => {
  let found = resolve(folder)
  while (!existsSync(found)) found = dirname(found)
  return found
}
