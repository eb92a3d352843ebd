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
const openLog = async (
  url: string,
  { readModels, leases, sealed }: BesideLog,
  options: LogOptions,
): Opening<Storage> => {
  hideArguments(url)
  const { openEventStoreDbStore } = await import('../store-eventstoredb/open.ts')
  const borrowed = { ...readModels, close: () => Promise.resolve() }
  const { linearizableReads = false, ...named } = namedIn(url)
  const isLinearizable = linearizableReads && options.readOnly !== true // who writes nothing confirms nothing
  const given = { ...named, ...options, linearizableReads: isLinearizable }
  return openEventStoreDbStore({ ...given, readModels: borrowed, leases, sealed })()
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

export type Named = {
  readonly connectionString: string
  readonly prefix?: string
  readonly linearizableReads?: boolean
  readonly links?: boolean
}

/**
 * Takes `?prefix=NAME`, `?linearizableReads=true` and `?links=false` out of the URL: they are ours, as `?schema=NAME` is for a database. The rest
 * is for the client. What is named twice, or has no meaning, stops the command.
 */
export const namedIn = (url: string): Named => {
  const mark = url.indexOf('?')
  if (mark < 0) return { connectionString: url }
  const options = url.slice(mark + 1).split('&')
  const take = (name: string): string | undefined => {
    const own = new RegExp(`^${name}=`, 'i')
    const [first, another] = options.filter((option) => own.test(option))
    if (another !== undefined) throw cannotBeUsed(`${name} stands in it more than once`)
    if (first === undefined) return undefined
    options.splice(options.indexOf(first), 1)
    return first.replace(own, '')
  }
  const takeSwitch = (name: string): boolean | undefined => {
    const value = take(name)
    if (value !== undefined && value !== 'true' && value !== 'false') throw cannotBeUsed(`${name} is true or false`)
    return value === undefined ? undefined : value === 'true'
  }
  const count = options.length
  const [prefix, linearizableReads, links] = [take('prefix'), takeSwitch('linearizableReads'), takeSwitch('links')]
  if (options.length === count) return { connectionString: url }
  const [place, others] = [url.slice(0, mark), options.join('&')]
  return {
    connectionString: others === '' ? place : `${place}?${others}`,
    ...(prefix === undefined ? {} : { prefix }),
    ...(linearizableReads === undefined ? {} : { linearizableReads }),
    ...(links === undefined ? {} : { links }),
  }
}

const cannotBeUsed = (reason: string) => unusable(`the URL of the store cannot be used: ${reason}`)
