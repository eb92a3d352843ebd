import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { right } from './found.ts'
import type { HostOptions } from './host.ts'
import { journal, type Answered, type Journal } from './journal.ts'
import { startPayments, type Payments } from './payments.ts'
import type { Round } from './plan.ts'
import type { Random } from './random.ts'
import { foundTown, type Town } from './town.ts'

/** A store that lives through several rounds, with all that is known about it outside of the servers. */
export type StorePlace = {
  readonly folder: string
  /** Each is an organization of its own. */
  readonly towns: readonly Town[]
  readonly payments: Payments
  readonly journal: Journal
  /** Tells the town what its clients have seen. */
  readonly learn: (answered: Answered) => void
  /** Opens the store as somebody else than the servers. */
  readonly openToRead: () => Promise<Storage>
  readonly hostOptions: (
    round: Pick<Round, 'engines' | 'whenInterrupted'>,
    bug: HostOptions['bug'],
    server?: number,
  ) => HostOptions
  readonly close: (keepsFiles: boolean) => Promise<void>
}

export type PlaceOptions = {
  readonly towns: readonly Town[]
  readonly openToRead: (folder: string) => Promise<Storage>
  readonly hasSlowPayments?: boolean
}

/** A place in an SQLite file, for one server. */
export const storePlace = async (random: Random): Promise<StorePlace> =>
  placeFor(random, { towns: [foundTown()], openToRead: (folder) => openFile(join(folder, FILE)) })

/** A place for a store anywhere. Where it is not the file in its folder, the servers find it in their environment. */
export const placeFor = async (
  random: Random,
  { towns, openToRead, hasSlowPayments = false }: PlaceOptions,
): Promise<StorePlace> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-crash-'))
  const genesis = towns.map((town, n) => {
    const file = join(folder, `genesis-${n}.json`)
    town.writeGenesis(file)
    return file
  })
  const byId = new Map(towns.map((town) => [town.organizationId, town]))
  const payments = await startPayments(random.fork('payments'), hasSlowPayments)
  return {
    folder,
    towns,
    payments,
    journal: journal(),
    learn: (answered) => byId.get(answered.organizationId)?.learn(answered),
    openToRead: () => openToRead(folder),
    hostOptions: ({ engines, whenInterrupted }, bug, server = 0) => ({
      path: join(folder, FILE),
      keystore: keystoreIn(folder),
      genesis,
      paymentsUrl: `${payments.url}/${server}`,
      engines,
      whenInterrupted,
      ...(bug === undefined ? {} : { bug }),
    }),
    close: async (keepsFiles) => {
      await payments.close()
      if (!keepsFiles) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const FILE = 'store.db'

/** Where the keystore is that all servers of a store share. */
export const keystoreIn = (folder: string): string => join(folder, 'keystore')

const openFile = async (path: string): Promise<Storage> => right(await openSqliteStore({ path, readOnly: true })())
