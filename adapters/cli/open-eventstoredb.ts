/* A store whose log is on EventStoreDB, and whose read models are in a file or a database beside it. */
import type { Notice } from '../../core/engine.ts'
import type { Failure } from '../../core/failure.ts'
import type { BesideLog, Storage } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { hideArguments } from './open-postgres.ts'
import { isPlace, READ_MODEL_URLS, readReadModels, writeReadModels } from './open-read-models.ts'
import { unusable } from './stop.ts'
import { waitForServer, type Waiting } from './wait-for-server.ts'

/** The flags that a store on EventStoreDB has beside its URL. */
export type BesideFlags = {
  /** Where its read models are: `sqlite:PATH` or `postgres://HOST/DATABASE`. */
  readonly readModels?: string | undefined
  /** Whether read models that belong to another log, or to none, become those of this log. */
  readonly adoptReadModels?: boolean | undefined
}

type Opening<A> = Promise<E.Either<Failure, A>>

/** Stops the command if the flags do not say where the read models are. */
export const checkBeside = ({ readModels = '' }: BesideFlags): void => {
  if (readModels === '')
    throw unusable(
      `a store on EventStoreDB keeps its read models elsewhere: name the place with --read-models ${READ_MODEL_URLS}`,
    )
  if (!isPlace(readModels)) throw unusable(`--read-models: expected ${READ_MODEL_URLS}`)
}

/** Opens an existing store, and makes nothing. */
export const readEventStoreDb = async (url: string, { readModels = '' }: BesideFlags): Opening<Storage> => {
  const beside = await readReadModels(readModels)
  if (E.isLeft(beside)) return beside
  const opened = await openLog(url, beside.right, { readOnly: true })
  if (E.isLeft(opened)) await beside.right.readModels.close()
  return E.map(closing(beside.right))(opened)
}

/** Opens a store, and makes what is missing of it. Its read models belong to the log as soon as it is open, so they stay. */
export const writeEventStoreDb = async (
  url: string,
  { readModels = '', adoptReadModels = false }: BesideFlags,
  onNotice: (notice: Notice) => void,
  waiting: Waiting | undefined,
): Opening<Storage> => {
  const beside = await writeReadModels(readModels, onNotice, waiting)
  if (E.isLeft(beside)) return beside
  const opened = await waitForServer(() => openLog(url, beside.right, { adoptReadModels }), onNotice, waiting)
  if (E.isLeft(opened)) await beside.right.giveUp()
  return E.map(closing(beside.right))(opened)
}

type LogOptions = { readonly readOnly?: boolean; readonly adoptReadModels?: boolean }

/** Opens the log over read models that it only borrows, so that it can be tried again after a failure. */
const openLog = async (url: string, { readModels, leases }: BesideLog, options: LogOptions): Opening<Storage> => {
  hideArguments(url)
  const { openEventStoreDbStore } = await import('../store-eventstoredb/open.ts')
  const borrowed = { ...readModels, close: () => Promise.resolve() }
  return openEventStoreDbStore({ ...namedIn(url), readModels: borrowed, leases, ...options })()
}

/** The store, which closes its read models behind its log. */
const closing =
  ({ readModels }: BesideLog) =>
  (storage: Storage): Storage => ({
    ...storage,
    store: {
      ...storage.store,
      close: async () => {
        await storage.store.close()
        await readModels.close()
      },
    },
  })

export type Named = { readonly connectionString: string; readonly prefix?: string; readonly links?: boolean }

/**
 * Takes `?prefix=NAME` and `?links=false` out of the URL: they are ours, as `?schema=NAME` is for a database. The rest is for the client. An option
 * that is named twice stops the command.
 */
export const namedIn = (url: string): Named => {
  const mark = url.indexOf('?')
  if (mark < 0) return { connectionString: url }
  const options = url.slice(mark + 1).split('&')
  const [prefix, links] = [ownOf(options, 'prefix'), ownOf(options, 'links')]
  if (links !== undefined && links !== 'true' && links !== 'false')
    throw unusable('the URL of the store cannot be used: links is true or false')
  const others = options.filter((option) => !OWN.test(option)).join('&')
  const place = url.slice(0, mark)
  if (prefix === undefined && links === undefined) return { connectionString: url }
  return {
    connectionString: others === '' ? place : `${place}?${others}`,
    ...(prefix === undefined ? {} : { prefix }),
    ...(links === undefined ? {} : { links: links === 'true' }),
  }
}

const OWN = /^(?:prefix|links)=/i

/** The value of an option of ours. */
const ownOf = (options: readonly string[], name: string): string | undefined => {
  const [value, another] = options.filter((option) => option.toLowerCase().startsWith(`${name}=`))
  if (another !== undefined) throw unusable(`the URL of the store cannot be used: ${name} stands in it more than once`)
  return value?.slice(name.length + 1)
}
