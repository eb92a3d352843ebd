import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostOptions } from './host.ts'
import { journal, type Journal } from './journal.ts'
import { startPayments, type Payments } from './payments.ts'
import type { Round } from './plan.ts'
import type { Random } from './random.ts'
import { foundTown, type Town } from './town.ts'

/** A store that lives through several rounds, with all that is known about it outside of the server. */
export type StorePlace = {
  readonly folder: string
  readonly path: string
  readonly town: Town
  readonly payments: Payments
  readonly journal: Journal
  readonly hostOptions: (round: Round, bug: HostOptions['bug']) => HostOptions
  readonly close: (keepsFiles: boolean) => Promise<void>
}

export const storePlace = async (random: Random): Promise<StorePlace> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-crash-'))
  const [path, genesis] = [join(folder, 'store.db'), join(folder, 'genesis.json')]
  const town = foundTown()
  town.writeGenesis(genesis)
  const payments = await startPayments(random.fork('payments'))
  return {
    folder,
    path,
    town,
    payments,
    journal: journal(),
    hostOptions: ({ engines, whenInterrupted }, bug) => ({
      path,
      genesis,
      paymentsUrl: payments.url,
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
