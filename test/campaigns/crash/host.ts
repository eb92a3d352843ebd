/*
 * The server that the harness kills: the public API and the example's wire transfers over SQLite, or over the store that COUNTERSIGN_CRASH_STORE
 * tells of. It runs what was built, and prints `listening on URL` as `countersign serve` does. Started by `host-process.ts`.
 */
import { readFileSync } from 'node:fs'
import { CountersignError, fileKeystore, publicApi, type Storage } from 'countersign'
import { type Engine, createEngine, sqliteStore } from 'countersign/fp'
import { httpServer } from 'countersign/http'
import { postgresReadModels, postgresStore } from 'countersign/store-postgres'
import { httpPayments, wireTransfers } from '../../../examples/wire-transfer/wire-transfer.ts'
import { until } from '../../until.ts'
import { programOptions } from '../built-program.ts'
import { bugOf, type Bug, type BugName } from './bugs/bug.ts'
import { withChildPoint } from './child-point.ts'
import type { StoreAddress } from './host-process.ts'
import { openLog } from './host-log.ts'
import { withKeyPoints } from './key-points.ts'
import { shared } from './shared.ts'

export type HostOptions = {
  readonly path: string
  /** The file with the keystore, which all servers of the store share; the first that needs it makes it. */
  readonly keystore: string
  /** Files with the requests that begin the organizations; the same at every start. */
  readonly genesis: readonly string[]
  readonly paymentsUrl: string
  readonly whenInterrupted: 'retry' | 'fail'
  readonly engines: 1 | 2
  /** Whether leases and transactions last as long as they do by default. */
  readonly times?: 'short' | 'usual'
  readonly bug?: BugName
}

/** Short, so that what was interrupted is taken up again while the harness waits. */
const RESUME_AFTER_MS = 150
/** Few, so that snapshots are written and read all the time. */
const SNAPSHOT_EVERY = 40

/** Short, so that what a frozen or dead server holds is taken from it while the harness waits. */
const LEASE_MS = 1_500
const TIMEOUTS = { lockTimeoutMs: 3_000, idleTimeoutMs: 1_000, statementTimeoutMs: 5_000, connectTimeoutMs: 3_000 }

const main = async (options: HostOptions): Promise<void> => {
  const bug = await bugOf(options.bug)
  const { engine, first, storage, isShared } = await whenThere(() => startedWith(options, bug))
  for (const file of options.genesis) await begin(first, file)
  const server = httpServer(engine, { requestsInFlightMax: 256 })
  const { url } = await server.listen()
  process.stdout.write(`listening on ${url}\n`)
  process.once('SIGTERM', () => {
    void server
      .close()
      .then(() => engine.close())
      .then(() => (isShared ? storage.readModels.close().then(() => storage.store.close()) : undefined))
  })
}

/** Where the store goes away meanwhile, the engine has closed it. */
const startedWith = async (options: HostOptions, bug: Bug) => {
  const found = await bug.storage(await opened(options, bug))
  const storage: Storage = {
    ...found,
    store: withChildPoint(found.store),
    sealed: found.sealed && withKeyPoints(found.sealed),
  }
  const { paymentsUrl, whenInterrupted } = options
  const start = (store: Storage): Promise<Engine> =>
    createEngine({
      store,
      keystore: fileKeystore({ path: options.keystore, make: true }),
      resources: [...publicApi, wireTransfers({ whenInterrupted, resumeAfterMs: RESUME_AFTER_MS })],
      ports: { payments: httpPayments(paymentsUrl), sandboxContacts: true },
      tuning: { snapshotEvery: SNAPSHOT_EVERY, ...(options.times === 'usual' ? {} : { leaseMs: LEASE_MS }) },
      ...bug.engine,
    })
  const isShared = options.engines === 2
  const first = await start(isShared ? shared(storage) : storage)
  const engine = isShared ? alternating(first, await start(shared(storage))) : first
  return { engine, first, storage, isShared }
}

const opened = async ({ path, times }: HostOptions, bug: Bug): Promise<Storage> => {
  const address = process.env['COUNTERSIGN_CRASH_STORE'] // an argument would show its password to everybody on the machine
  if (address === undefined) {
    const file = await sqliteStore({ path })()
    if (file._tag === 'Right') return file.right
    throw new Error(`${file.left.code}: ${file.left.message}`)
  }
  const { url, readModels, prefix = '' } = JSON.parse(address) as StoreAddress // of `startHost`
  const timeouts = times === 'usual' ? {} : TIMEOUTS
  if (readModels === undefined) return postgresStore({ url, ...timeouts })
  const beside = await postgresReadModels({ ...readModels, ...timeouts })
  try {
    return await openLog(
      { connectionString: url, prefix, readModels: beside.readModels, leases: beside.leases, sealed: beside.sealed },
      bug.logClient,
    )
  } catch (error) {
    await beside.readModels.close()
    throw error
  }
}

/** Tries again while the store is away. */
const whenThere = <A>(start: () => Promise<A>): Promise<NonNullable<A>> =>
  until(() =>
    start().catch((error: unknown) => {
      if (error instanceof CountersignError && error.code === 'UNAVAILABLE') return undefined
      throw error
    }),
  )

const begin = async (engine: Engine, file: string): Promise<void> => {
  const { stamp, body } = JSON.parse(readFileSync(file, 'utf8')) as { stamp: string; body: string } // written by the harness
  const request = { headers: { 'x-stamp': stamp }, body: Buffer.from(body), address: null }
  let left = BEGINNINGS_MAX
  await until(async () => {
    const begun = await engine.createOrganization(request)()
    if (begun._tag === 'Right') return true
    if (begun.left.code === 'UNAVAILABLE' || begun.left.code === 'CONFLICT') return undefined
    if ((left -= 1) === 0) throw new Error(`${begun.left.code}: ${begun.left.message}`)
    return undefined
  })
}

/** With some mistakes an organization is not there yet when it is said to be: those are to be found by the harness. */
const BEGINNINGS_MAX = 200

const alternating = (first: Engine, second: Engine): Engine => {
  let turn = 0
  const next = (): Engine => (++turn % 2 === 0 ? first : second)
  return {
    ...first,
    submit: (path, request) => next().submit(path, request),
    query: (path, request) => next().query(path, request),
    close: async () => void (await Promise.all([first.close(), second.close()])),
  }
}

await main(programOptions() as HostOptions) // of `startHost`
