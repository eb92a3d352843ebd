import { existsSync } from 'node:fs'
import { access, constants, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Notice } from '../../core/engine.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { SqliteStoreOptions } from '../store-sqlite/index.ts'
import { makeFolder, removeFolders } from './folders.ts'
import { resultOf, systemReason, unusable } from './stop.ts'

/** A store that a command writes. Until `keep` is called, it has been opened on trial. */
export type Written = {
  readonly storage: Storage
  /** The command has come through: what it has made stays. */
  readonly keep: () => void
  /** Closes the store, if that was not done, and removes what was made for it on trial. */
  readonly end: () => Promise<void>
}

export type WriteOptions = {
  readonly onNotice: (notice: Notice) => void
  /** Whether a store that was made on trial is removed `if-empty`, or with `all` that is in it. */
  readonly discard: 'if-empty' | 'all'
}

/**
 * Opens the store that the URL names, for writing; makes it, with its folder, where there is none. What was there before is
 * never removed.
 */
export const openToWrite = (url: string, options: WriteOptions): TE.TaskEither<Failure, Written> => {
  const { driver, rest } = driverOf(url)
  return () => driver.write(rest, options)
}

/** Opens a store that is there, beside a server that may be writing it. */
export const openToRead = (url: string): Promise<Storage> => {
  const { driver, rest } = driverOf(url)
  return resultOf(() => driver.read(rest))
}

/** Opens a store for writing, and ends it after `use`, however that ends. */
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

/** Lets go of a store that no engine has taken over. */
export const close = async ({ readModels, store }: Storage): Promise<void> => {
  await readModels.close()
  await store.close()
}

/** Whether the store is gone with the process. */
export const isVolatile = (url: string): boolean => driverOf(url).driver === memory

/** Whether the store is not there, and nothing is known that would keep it from being made. */
export const canBeMade = (url: string): Promise<boolean> => {
  const { driver, rest } = driverOf(url)
  return driver.canBeMade(rest)
}

/** Whether the file is one of those that the store is kept in, whatever links lead to it. */
export const isOfStore = async (url: string, file: string): Promise<boolean> => {
  const { driver, rest } = driverOf(url)
  const known = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
  const found = await known(file)
  return found !== undefined && (await Promise.all(driver.files(rest).map(known))).includes(found)
}

type Opening<A> = Promise<E.Either<Failure, A>>
type Driver = {
  /** Stops the command where no store can be called that. */
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
  if (driver === undefined) throw unusable('the store URL has an unknown scheme: there are memory: and sqlite:PATH')
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
    const opened = await openSqlite(path, { readOnly: true })
    return E.isLeft(opened) ? cannotOpen(path, opened.left) : opened
  },
  write: async (path, options) => {
    let opened = await writeSqlite(path, options)
    // Another start that failed may have removed the folder, which it had made, before this one had a file in it.
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

const drivers: ReadonlyMap<string, Driver> = new Map([
  ['memory', memory],
  ['sqlite', sqlite],
])

const openSqlite = async (path: string, options: Omit<SqliteStoreOptions, 'path'>) =>
  (await import('../store-sqlite/index.ts')).sqliteStore({ path, ...options })()

const writeSqlite = async (path: string, { onNotice, discard }: WriteOptions): Opening<Written> => {
  const folders = await makeFolderOf(path)
  if (E.isLeft(folders)) return folders
  const opened = await openSqlite(path, { onNotice })
  if (E.isLeft(opened)) {
    await removeFolders(folders.right)
    return cannotOpen(path, opened.left)
  }
  const storage = opened.right
  storage.discard(discard)
  const end = async (): Promise<void> => {
    await close(storage)
    await removeFolders(folders.right) // those in which nothing is left
  }
  return E.right({ storage, keep: () => storage.discard('nothing'), end })
}

const TRIES_MAX = 5

const cannotOpen = (path: string, { code, message }: Failure): E.Either<Failure, never> =>
  E.left(failure(code, `cannot open the store ${path}: ${message}`))

const makeFolderOf = async (path: string): Opening<readonly string[]> => {
  const folder = dirname(path)
  try {
    return E.right(await makeFolder(folder))
  } catch (error) {
    const reason = systemReason(await causeOf(folder, error))
    return E.left(failure('UNAVAILABLE', `cannot make the folder of the store ${path}: ${reason}`))
  }
}

/** Node says that a folder is not there when it means that the file system is read-only. */
const causeOf = async (folder: string, error: unknown): Promise<unknown> =>
  access(existing(folder), constants.W_OK).then(
    () => error,
    (cause: unknown) => cause,
  )

/** The folder, or the nearest above it that is there. */
const existing = (folder: string): string => {
  let found = resolve(folder)
  while (!existsSync(found)) found = dirname(found)
  return found
}
