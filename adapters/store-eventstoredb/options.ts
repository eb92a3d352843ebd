import { failure, type Failure } from '../../core/failure.ts'
import { hintFor } from '../../core/options.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import { E } from '../../core/prelude.ts'
import { isPrefix } from './names.ts'
import { clientDefaults } from './settings.ts'

export type EventStoreDbStoreOptions = {
  /**
   * The server, as `esdb://user:password@host:2113` or with `esdb+discover:`. `kurrentdb:` and `kurrentdb+discover:` mean the same. No message
   * has it.
   */
  readonly connectionString: string
  /**
   * Keeps rows, checkpoints and snapshots, and the store's own index of activities, in another database. It belongs to this log from the first
   * opening on. The store closes it when it is closed itself.
   */
  readonly readModels: ReadModels
  /** Leases beside the read models, for several processes. */
  readonly leases?: Leases | undefined
  /** Sealed rows beside the read models, for wallets and keys. They cannot be made again from the log: back them up. */
  readonly sealed?: SealedRows | undefined
  /** What the names of all streams of this store begin with: letters, digits, `-` and `_`. Default: none. */
  readonly prefix?: string
  /** Opens an existing store without writing anything. Default: false. */
  readonly readOnly?: boolean
  /**
   * Makes each query wait for a small write that a majority of the nodes acknowledges: then a leader that was cut off, and has not noticed
   * it, cannot answer with what was true before. Queries that come at the same time share a write. Default: false.
   */
  readonly linearizableReads?: boolean
  /** Takes read models that belong to another log, or to none: throws away what they have, and builds it again. Sealed rows stay. Default: false. */
  readonly adoptReadModels?: boolean
  /** Writes links to the events of each activity behind the log, for people with the server's own tools. Default: true. */
  readonly links?: boolean
  /** The most bytes that one commit may have, lines and parts together. Default: 16 MiB. */
  readonly commitBytesMax?: number
  /** How long finding the leader may take, in ms. Default: 10,000. */
  readonly connectTimeoutMs?: number
  /** How long one append may take, in ms: after it, its outcome is unknown. Default: 10,000. */
  readonly appendTimeoutMs?: number
  /** How long reading one page may take, in ms. Default: 30,000. */
  readonly readTimeoutMs?: number
}

const defaults = {
  prefix: '',
  readOnly: false,
  linearizableReads: false,
  adoptReadModels: false,
  links: true,
  commitBytesMax: 16 * 1024 * 1024,
  ...clientDefaults,
}

/** The options with their defaults, checked. */
export type StoreSettings = Required<Omit<EventStoreDbStoreOptions, 'leases' | 'sealed'>> &
  Pick<EventStoreDbStoreOptions, 'leases' | 'sealed'>

const invalid = (message: string): E.Either<Failure, never> => E.left(failure('CONFIGURATION_INVALID', message))

export const storeSettings = (options: EventStoreDbStoreOptions): E.Either<Failure, StoreSettings> => {
  const names = ['connectionString', 'readModels', 'leases', 'sealed', ...Object.keys(defaults)]
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) return invalid(`${unknown}: there is no such option${hintFor(unknown, names)}`)
  const settings = { ...defaults, ...options }
  if (typeof settings.connectionString !== 'string' || settings.connectionString === '')
    return invalid('connectionString: expected the address of a server, such as esdb://localhost:2113?tls=false')
  const { readModels }: { readonly readModels: ReadModels | undefined } = options
  if (typeof readModels?.move !== 'function')
    return invalid('readModels: expected read models, such as those of sqliteReadModels or postgresReadModels')
  if (!isPrefix(settings.prefix))
    return invalid('prefix: expected at most 100 letters, digits, - and _, without the word organization-')
  if (settings.readOnly && settings.linearizableReads)
    return invalid('linearizableReads: a store that is open for reading only does not write; leave one of both out')
  return E.right(settings)
}
