import type { Failure } from '../../core/failure.ts'
import type { TE } from '../../core/prelude.ts'
import type { Appended, Commit, EventStore, StoreCapabilities } from '../../core/ports/event-store.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { ContractCase } from './contract.ts'
import { withCountedPositions } from './counted-positions.ts'
import { right } from './expect.ts'

/** A store adapter under test. Each optional member lets more cases run. */
export type StoreUnderTest = {
  readonly name: string
  /** The capabilities that the adapter claims; cases for others are left out. */
  readonly capabilities: StoreCapabilities
  /** Whether the stores it opens have leases. */
  readonly leases?: boolean
  /** Whether the stores it opens have sealed rows. */
  readonly sealed?: boolean
  /** The largest commit that the stores it opens will take. */
  readonly commitBytesMax: number
  /** Opens a new and empty store of its own, each time. */
  readonly open: () => Promise<OpenedStore>
  /** Like `open`, with these numbers for the first event of the store and of each log. */
  readonly openNumbered?: (first: { readonly position: bigint; readonly sequence: bigint }) => Promise<OpenedStore>
  /** Opens a store that a process was writing when it was killed, with the ids that it had acknowledged. */
  readonly openCrashed?: () => Promise<OpenedStore & { readonly acknowledged: readonly string[] }>
  /** Opens stores as every older version of the adapter left them; they may be empty. */
  readonly openOlder?: readonly (() => Promise<OpenedStore>)[]
  /** Like `open`, for stores in a database that a host uses as well. */
  readonly openWithHost?: () => Promise<OpenedStore & { readonly begin: () => Promise<HostTransaction> }>
}

/** A transaction of the host in the database of the store. It has written something of its own, and is open. */
export type HostTransaction = { readonly commit: () => Promise<void> }

export type OpenedStore = {
  readonly storage: Storage
  /** Opens the same store again after it was closed. */
  readonly reopen?: () => Promise<Storage>
  /** Opens the same store a second time while it is open: a second handle on it, as another process would have one. */
  readonly openBeside?: TE.TaskEither<Failure, Storage>
  /** Copies the closed store as a backup would, and opens the copy. */
  readonly restore?: () => Promise<Storage>
  /** Removes the files of the store, after it was closed. */
  readonly dispose?: () => Promise<void>
}

export type Need =
  | keyof StoreCapabilities
  | 'severalWriters'
  | 'reopen'
  | 'openBeside'
  | 'restore'
  | 'openNumbered'
  | 'openCrashed'
  | 'openOlder'
  | 'leases'
  | 'sealed'
  | 'openWithHost'

export type StoreCase = {
  readonly number: string
  readonly name: string
  readonly needs: readonly Need[]
  readonly test: (under: StoreUnderTest) => Promise<void>
}

/** An open store for a case. It is closed when the case has ended. */
export type Opened = {
  readonly store: EventStore
  readonly readModels: ReadModels
  readonly leases?: Leases | undefined
  readonly sealed?: SealedRows | undefined
  readonly commitBytesMax: number
  /** Closes the store and opens it again; only in cases that need `reopen`. */
  readonly reopened: () => Promise<Storage>
  /** Closes the store and opens a copy of it; only in cases that need `restore`. */
  readonly restored: () => Promise<Storage>
  readonly openBeside: OpenedStore['openBeside']
}

export const storeCase = (
  number: string,
  name: string,
  needs: readonly Need[],
  test: (opened: Opened) => Promise<void>,
): StoreCase => ({
  number,
  name,
  needs,
  test: (under) => withOpened(under, under.open, test),
})

/** Appends the commits, and gives their outcomes. */
export const append = (
  { store }: Pick<Storage, 'store'>,
  ...commits: readonly Commit[]
): Promise<readonly Appended[]> => right(store.append(commits))

/** Appends each of the commits in a call of its own, so that every store has them in this order. */
export const appendEach = async (opened: Pick<Storage, 'store'>, ...commits: readonly Commit[]): Promise<void> => {
  for (const commit of commits) await append(opened, commit)
}

/** Opens a store, runs `use`, and closes the store, also after an error. */
export const withOpened = async <O extends OpenedStore>(
  { commitBytesMax }: StoreUnderTest,
  open: () => Promise<O>,
  test: (opened: Opened, raw: O) => Promise<void>,
): Promise<void> => {
  const raw = await open()
  let current = withCountedPositions(raw.storage)
  const replaced = async (by: (() => Promise<Storage>) | undefined): Promise<Storage> => {
    await closed(current)
    if (by === undefined) throw new Error('the adapter under test gives no way to do this')
    return (current = withCountedPositions(await by()))
  }
  try {
    const { reopen, restore, openBeside } = raw
    await test(
      { ...current, commitBytesMax, openBeside, reopened: () => replaced(reopen), restored: () => replaced(restore) },
      raw,
    )
  } finally {
    await closed(current)
    await raw.dispose?.()
  }
}

/** Opens a second handle on the same store, runs `test`, and closes the second one. */
export const withSecond = async (
  opened: Opened,
  test: (one: Storage, two: Storage) => Promise<void>,
): Promise<void> => {
  if (opened.openBeside === undefined) throw new Error('the adapter under test gives no second handle')
  const second = withCountedPositions(await right(opened.openBeside))
  try {
    await test(opened, second)
  } finally {
    await closed(second)
  }
}

export const closed = async ({ store, readModels }: Storage): Promise<void> => {
  await readModels.close()
  await store.close()
}

/** The case as any runner can run it. */
export const contractCase = (under: StoreUnderTest, { number, name, needs, test }: StoreCase): ContractCase => {
  const missing = needs.filter((need) => !can(under, need))
  const run = missing.length > 0 ? async () => {} : () => test(under)
  const named = { number, name, tags: needs, run }
  return missing.length > 0 ? { ...named, leftOut: `${under.name} has no ${missing.join(', ')}` } : named
}

/** Whether the adapter can do what the case needs. */
const can = (under: StoreUnderTest, need: Need): boolean => {
  switch (need) {
    case 'openNumbered':
    case 'openCrashed':
    case 'openOlder':
    case 'openWithHost':
      return under[need] !== undefined
    case 'leases':
    case 'sealed':
      return under[need] === true
    case 'severalWriters':
      return under.capabilities.durable && !under.capabilities.soleWriter
    case 'openBeside':
    case 'reopen':
    case 'restore':
      return under.capabilities.durable
    default:
      return under.capabilities[need]
  }
}
