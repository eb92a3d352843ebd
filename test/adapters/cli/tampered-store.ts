import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { reportOf } from '../../../adapters/cli/audit.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import type { WrongStanding } from '../../../core/projection/compare-standings.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { TestClock } from '../../core/world/world.ts'

/**
 * A copy of a closed store, changed by whoever may write the file: they need no program of ours. Each has a name of its own:
 * SQLite would take the write-ahead log of another for its own.
 *
 * @returns the path of the copy
 */
export const changedCopy = (path: string, change: string | ((db: Database.Database) => void) = ''): string => {
  copies += 1
  const copy = join(dirname(path), `copy-${copies}.db`)
  copyFileSync(path, copy)
  bySql(copy, (db) => (typeof change === 'string' ? db.exec(change) : change(db)))
  return copy
}
let copies = 0

export const bySql = <A>(path: string, use: (db: Database.Database) => A): A => {
  const db = new Database(path)
  try {
    return use(db)
  } finally {
    db.close()
  }
}

export type Audited = {
  /** Each finding as `CODE organization sequence`. */
  readonly findings: readonly string[]
  readonly erased: number
  readonly listed: readonly WrongStanding[]
  /** By organization: where its log ends, as `--head` takes it, and what it begins with, as `--pin` does. */
  readonly heads: ReadonlyMap<string, string>
  readonly pins: ReadonlyMap<string, string>
}

/** What the command says of a store: by its own code, in this process, because there are many stores. */
export const audited = async (
  path: string,
  { pin = [], head = [] }: { readonly pin?: readonly string[]; readonly head?: readonly string[] } = {},
): Promise<Audited> => {
  const {
    findings,
    organizations,
    counts,
    listed = [],
  } = await reportOf(undefined, { store: `sqlite:${path}`, pin, head })
  return {
    findings: findings.map(({ code, organization, sequence }) => `${code} ${organization} ${sequence}`),
    erased: counts.erased,
    listed,
    heads: new Map(
      organizations.map(({ organization, sequence, hash }) => [organization, `${organization}=${sequence}:${hash}`]),
    ),
    pins: new Map(organizations.map(({ organization, genesis }) => [organization, `${organization}=${genesis}`])),
  }
}

/** Starts an engine on the store. */
export const engineOn = async <A>(path: string, clock: TestClock, use: (engine: Engine) => Promise<A>): Promise<A> => {
  const store = await right(openSqliteStore({ path }))
  const engine = await createEngine({
    store,
    resources: publicApi,
    signatures: nodeSignatures(),
    ids: nodeIds(),
    clock,
  })
  try {
    return await use(engine)
  } finally {
    await engine.close()
  }
}
