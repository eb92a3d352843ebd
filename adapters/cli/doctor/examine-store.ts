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
import { runTrials, type OnChecked, type Scratch } from './run-trials.ts'

export type ExaminedStore = {
  readonly checks: readonly Checked[]
  /** What an administrator has to run. */
  readonly sql?: string
  /** What takes long. */
  readonly goOn: (onChecked: OnChecked) => Promise<void>
}

type How = BesideFlags & { readonly full: boolean; readonly repair: boolean }

/** Examines a store: what it has, and if it is to be `full`, what it does in a scratch store beside it. Repairs it if it is told to. */
export const examineStore = async (url: string, { full, repair, ...flags }: How): Promise<ExaminedStore> => {
  if (isDatabase(url)) return examineDatabase(url, full)
  const store = await checkStore(url, flags)
  if (isEventStoreDb(url)) {
    if (store.state === 'wrong') return { checks: [store], goOn: nothingMore }
    const { BELONGS, eventStoreDbChecks } = await import('./eventstoredb-checks.ts')
    const goOn = (onChecked: OnChecked) => eventStoreDbChecks(url, { ...flags, full, repair }, onChecked)
    return { checks: [store, BELONGS], goOn }
  }
  const [file = ''] = filesOf(url, flags)
  if (!full || !existsSync(dirname(file))) return { checks: [store], goOn: nothingMore }
  return { checks: [store], goOn: tryingIn(async () => (await import('./sqlite-scratch.ts')).sqliteScratch(file)) }
}

const nothingMore = async (): Promise<void> => undefined

/** The statements by which an administrator makes the store, or gives the user its rights on it. */
export const administratorStatements = async (url: string): Promise<E.Either<Failure, string>> => {
  const examined = await examination(url)
  return E.isLeft(examined) ? examined : E.right(examined.right.sql)
}

const examination = async (url: string): Promise<E.Either<Failure, Examined>> => {
  hideArguments(url)
  return (await import('../../store-postgres/examine.ts')).examinePostgres(url)()
}

const examineDatabase = async (url: string, full: boolean): Promise<ExaminedStore> => {
  const examined = await examination(url)
  if (E.isLeft(examined)) {
    const { message: found } = examined.left
    const advice = 'nothing else of the store was examined'
    return { checks: [{ check: 'store', state: 'wrong', found, advice }], goOn: nothingMore }
  }
  const checks = postgresChecks(examined.right)
  const sql = needsAdministrator(examined.right) ? { sql: examined.right.sql } : {}
  if (!full) return { checks, ...sql, goOn: nothingMore }
  if (!examined.right.rights.mayMakeSchemas) return { checks: [...checks, notTried], ...sql, goOn: nothingMore }
  const goOn = tryingIn(async () => (await import('./postgres-scratch.ts')).postgresScratch(url))
  return { checks, ...sql, goOn }
}

const notTried: Checked = {
  check: 'contract',
  state: 'warning',
  found: 'not tried: the user may make no scratch schemas',
  advice: 'GRANT CREATE ON DATABASE ... TO this user, examine again, then REVOKE it; or examine as another user',
}

const tryingIn =
  (open: () => Promise<Scratch>): ExaminedStore['goOn'] =>
  async (onChecked) => {
    try {
      await runTrials(await open(), onChecked)
    } catch (error) {
      if (error instanceof Stop || systemCode(error) === undefined) throw error
      const found = 'not tried: no scratch files can be made beside the store'
      onChecked({ check: 'contract', state: 'warning', found })
    }
  }
