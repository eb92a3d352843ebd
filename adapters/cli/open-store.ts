import { existsSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Storage } from '../../core/ports/storage.ts'
import { systemReason, unusable } from './stop.ts'

/** Opens the store that the URL names, for writing; makes it, with its folder, where there is none. */
export const openToWrite = (url: string): Promise<Storage> => open(url, 'write')

/** Opens a store that is there, beside a server that may be writing it. */
export const openToRead = (url: string): Promise<Storage> => open(url, 'read')

/** Lets go of a store that no engine has taken over. */
export const close = async ({ readModels, store }: Storage): Promise<void> => {
  await readModels.close()
  await store.close()
}

/** Whether the store is gone with the process. */
export const isVolatile = (url: string): boolean => schemeOf(url).scheme === 'memory'

type Purpose = 'read' | 'write'
type Driver = (rest: string, to: Purpose) => Promise<Storage>

const open = async (url: string, to: Purpose): Promise<Storage> => {
  const { scheme, rest } = schemeOf(url)
  const driver = drivers.get(scheme)
  // A URL may carry a password: the line does not repeat it.
  if (driver === undefined) throw unusable('the store URL has an unknown scheme: there are memory: and sqlite:PATH')
  return driver(rest, to)
}

const schemeOf = (url: string): { readonly scheme: string; readonly rest: string } => {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? []
  return { scheme: scheme.toLowerCase(), rest }
}

const openMemory: Driver = async (rest) => {
  if (rest !== '') throw unusable('the store URL memory: has nothing behind it')
  const { memoryStore } = await import('../store-memory/index.ts')
  return memoryStore()
}

const openSqlite: Driver = async (path, to) => {
  if (path === '' || /^\/\/[^/]/.test(path))
    throw unusable('the store URL sqlite: has a path behind it, such as sqlite:data/countersign.db')
  await (to === 'write' ? makeFolder(path) : mustExist(path))
  const { sqliteStore } = await import('../store-sqlite/index.ts')
  const opened = await sqliteStore({ path, readOnly: to === 'read' })()
  if (opened._tag === 'Left') throw unusable(`cannot open the store ${path}: ${opened.left.message}`)
  return opened.right
}

const drivers: ReadonlyMap<string, Driver> = new Map([
  ['memory', openMemory],
  ['sqlite', openSqlite],
])

const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true })
  } catch (error) {
    throw unusable(`cannot make the folder of the store ${path}: ${systemReason(await causeOf(dirname(path), error))}`)
  }
}

/** Node says that a folder is not there when it means that the file system is read-only. */
const causeOf = async (folder: string, error: unknown): Promise<unknown> => {
  let existing = resolve(folder)
  while (!existsSync(existing)) existing = dirname(existing)
  return access(existing, constants.W_OK).then(
    () => error,
    (cause: unknown) => cause,
  )
}

const mustExist = async (path: string): Promise<void> => {
  try {
    await access(path, constants.R_OK)
  } catch (error) {
    throw unusable(`cannot open the store ${path}: ${systemReason(error)}`)
  }
}
