/* Read models of a log that is kept elsewhere, by their URL. */
import type { Notice } from '../../core/engine.ts'
import type { Failure } from '../../core/failure.ts'
import type { BesideLog } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { hideArguments } from './open-postgres.ts'
import { filesBeside, fromFile, inFolder } from './open-sqlite.ts'
import { waitForServer, type Waiting } from './wait-for-server.ts'

type Opening<A> = Promise<E.Either<Failure, A>>

/** Open read models. */
export type Beside = BesideLog & {
  /** Closes them, and removes their files if this opening has made them and nothing was written into them. */
  readonly giveUp: () => Promise<void>
}

/** What the URL of read models looks like. */
export const READ_MODEL_URLS = 'sqlite:PATH or postgres://HOST/DATABASE'

/** Whether the text is the URL of a place for read models. */
export const isPlace = (url: string): boolean => isDatabase(url) || pathOf(url) !== undefined

/** The files of the read models, the main one first; none if they are in a database. */
export const filesOfReadModels = (url: string): readonly string[] => {
  const path = pathOf(url)
  return path === undefined ? [] : filesBeside(path)
}

/** Opens existing read models; a process may be writing them at the same time. */
export const readReadModels = async (url: string): Opening<BesideLog> => {
  const path = pathOf(url)
  const opened: E.Either<Failure, BesideLog> = await (path === undefined
    ? openDatabase(url, true)
    : fromFile(path, async () => (await sqlite()).openSqliteReadModels({ path, readOnly: true })()))
  return E.mapLeft(named)(opened)
}

/** Opens read models, and makes them where there are none. */
export const writeReadModels = async (
  url: string,
  onNotice: (notice: Notice) => void,
  waiting: Waiting | undefined,
): Opening<Beside> => {
  const path = pathOf(url)
  // A file is there or not; only a database can be starting.
  return path === undefined
    ? waitForServer(async () => E.mapLeft(named)(await openDatabase(url, false)), onNotice, waiting)
    : E.mapLeft(named)(await openFile(path, onNotice))
}

const isDatabase = (url: string): boolean => /^postgres(?:ql)?:\/\//i.test(url)

const pathOf = (url: string): string | undefined => {
  const path = /^sqlite:(.+)$/is.exec(url)?.[1]
  return path === undefined || /^\/\/[^/]/.test(path) ? undefined : path
}

const sqlite = () => import('../store-sqlite/open-read-models.ts')

const openFile = async (path: string, onNotice: (notice: Notice) => void): Opening<Beside> => {
  const made = await inFolder(path, async () => (await sqlite()).openSqliteReadModels({ path, onNotice })())
  if (E.isLeft(made)) return made
  const { opened, removeFolders } = made.right
  const { readModels, leases, sealed, discard } = opened
  const giveUp = async (): Promise<void> => {
    const written = await readModels.projections()()
    if (E.isRight(written) && written.right.length === 0) discard('all')
    await readModels.close()
    await removeFolders()
  }
  return E.right({ readModels, leases, sealed, giveUp })
}

/** Tables stay where they were made, because other processes may use them by then. */
const openDatabase = async (url: string, readOnly: boolean): Opening<Beside> => {
  hideArguments(url)
  const { openPostgresReadModels } = await import('../store-postgres/open-read-models.ts')
  return E.map(({ readModels, leases, sealed }: BesideLog) => ({
    readModels,
    leases,
    sealed,
    giveUp: readModels.close,
  }))(await openPostgresReadModels({ url, readOnly })())
}

/** A store has two places, so the message says which of them it is about. */
const named = (cause: Failure): Failure => ({ ...cause, message: `--read-models: ${cause.message}` })
