import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import type { Examined } from '../../store-postgres/examine.ts'
import { checkStore } from '../doctor-checks.ts'
import type { Checked } from '../doctor.ts'
import { hideArguments } from '../open-postgres.ts'
import { filesOf, isDatabase, type BesideFlags } from '../open-store.ts'
import { isEventStoreDb } from '../shown-store.ts'
import { Stop, systemCode } from '../stop.ts'
import { needsAdministrator, postgresChecks } from './postgres-checks.ts'
import { runTrials, type Scratch } from './run-trials.ts'

export type ExaminedStore = {
  readonly checks: readonly Checked[]
  /** What an administrator has to run. */
  readonly sql?: string
}

/** Examines a store: what it has, and unless `quick`, what it does in a scratch store beside it. Repairs it if it is told to. */
export const examineStore = async (
  url: string,
  { quick, repair, ...flags }: BesideFlags & { readonly quick: boolean; readonly repair: boolean },
): Promise<ExaminedStore> => {
  if (isDatabase(url)) return examineDatabase(url, quick)
  const store = await checkStore(url, flags)
  if (isEventStoreDb(url)) {
    if (store.state === 'wrong') return { checks: [store] }
    const { eventStoreDbChecks } = await import('./eventstoredb-checks.ts')
    return { checks: [store, ...(await eventStoreDbChecks(url, { ...flags, quick, repair }))] }
  }
  const [file = ''] = filesOf(url, flags)
  if (quick || !existsSync(dirname(file))) return { checks: [store] }
  const trials = await triedIn(async () => (await import('./sqlite-scratch.ts')).sqliteScratch(file))
  return { checks: [store, ...trials] }
}

/** The statements by which an administrator makes the store, or gives the user its rights on it. */
export const administratorStatements = async (url: string): Promise<E.Either<Failure, string>> => {
  const examined = await examination(url)
  return E.isLeft(examined) ? examined : E.right(examined.right.sql)
}

const examination = async (url: string): Promise<E.Either<Failure, Examined>> => {
  hideArguments(url)
  return (await import('../../store-postgres/examine.ts')).examinePostgres(url)()
}

const examineDatabase = async (url: string, quick: boolean): Promise<ExaminedStore> => {
  const examined = await examination(url)
  if (E.isLeft(examined)) {
    const { message: found } = examined.left
    return { checks: [{ check: 'store', state: 'wrong', found, advice: 'nothing else of the store was examined' }] }
  }
  const checks = postgresChecks(examined.right)
  const sql = needsAdministrator(examined.right) ? { sql: examined.right.sql } : {}
  if (quick) return { checks, ...sql }
  if (!examined.right.rights.mayMakeSchemas) return { checks: [...checks, notTried], ...sql }
  const trials = await triedIn(async () => (await import('./postgres-scratch.ts')).postgresScratch(url))
  return { checks: [...checks, ...trials], ...sql }
}

const notTried: Checked = {
  check: 'contract',
  state: 'warning',
  found: 'not tried: the user may make no scratch schemas',
  advice: 'GRANT CREATE ON DATABASE ... TO this user, examine again, then REVOKE it; or examine as another user',
}

const triedIn = async (open: () => Promise<Scratch>): Promise<readonly Checked[]> => {
  try {
    return await runTrials(await open())
  } catch (error) {
    if (error instanceof Stop || systemCode(error) === undefined) throw error
    return [{ check: 'contract', state: 'warning', found: 'not tried: no scratch files can be made beside the store' }]
  }
}
