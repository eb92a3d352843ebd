import { postgresCapabilities } from '../../store-postgres/event-store.ts'
import { ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connector, type Connect, type Connection } from '../../store-postgres/connect.ts'
import { copyRows, dropScratch, SCRATCH } from '../../store-postgres/scratch.ts'
import { openOver, settingsOf } from '../../store-postgres/open.ts'
import { refuse } from '../../../core/ports/refusal.ts'
import type { Settings } from '../../store-postgres/settings.ts'
import { anyCommit } from '../../testing/any.ts'
import { right, same } from '../../testing/expect.ts'
import { leasesContract, readModelsContract, sealedRowsContract, storeContract } from '../../testing/index.ts'
import type { HostTransaction, OpenedStore, StoreUnderTest } from '../../testing/index.ts'
import { append, closed } from '../../testing/store-case.ts'
import { E } from '../../../core/prelude.ts'
import { killedWriter, raceTrial } from './process-trials.ts'
import type { Scratch, Trial } from './run-trials.ts'
import { startChild } from './trial-child.ts'
import { openTrialStore, TRIAL_COMMIT_BYTES_MAX, type TrialStore } from './trial-store.ts'

/** Scratch schemas in a database, whose names no store of a user has. */
export const postgresScratch = async (url: string): Promise<Scratch> => {
  const made = new Set<string>()
  const prefix = `${SCRATCH}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
  const newStore = (): TrialStore & { readonly kind: 'postgres' } => {
    const schema = `${prefix}_${made.size}`
    made.add(schema)
    return { kind: 'postgres', url, schema }
  }
  const connect = await connector(settingsIn(url, prefix))

  const drop = async (schemas: Iterable<string>): Promise<readonly string[]> => {
    const left: string[] = []
    for (const schema of schemas)
      try {
        await withConnection(connect, (on) => dropScratch(on, schema))
        made.delete(schema)
      } catch {
        left.push(schema)
      }
    return left
  }
  const openAt = async (store: ReturnType<typeof newStore>, more: object = {}): Promise<OpenedStore> => {
    const opening = openTrialStore(store, more)
    const copy = newStore()
    return {
      storage: await right(opening),
      reopen: () => right(opening),
      openBeside: opening,
      restore: async () => {
        const copied = openTrialStore(copy)
        await closed(await right(copied))
        await withConnection(connect, (on) => copyRows(on, store.schema, copy.schema))
        return right(copied)
      },
      dispose: async () => {
        await drop([store.schema, copy.schema])
      },
    }
  }
  const open = (more: object = {}): Promise<OpenedStore> => openAt(newStore(), more)

  const under: StoreUnderTest = {
    name: 'the PostgreSQL store',
    capabilities: postgresCapabilities,
    leases: true,
    sealed: true,
    commitBytesMax: TRIAL_COMMIT_BYTES_MAX,
    open: () => open(),
    openNumbered: ({ position, sequence }) => open({ firstPosition: position, firstSequence: sequence }),
    openCrashed: async () => {
      const store = newStore()
      const acknowledged = await killedWriter(store)
      return { ...(await openAt(store)), acknowledged }
    },
    openWithHost: async () => ({ ...(await open()), begin: () => beginHost(connect) }),
  }
  const contract = [
    ...storeContract(under),
    ...readModelsContract(under),
    ...leasesContract(under),
    ...sealedRowsContract(under),
  ]
  // Case 85 is the one of the slow transactions of a host, and is told by itself.
  const slow = contract.filter(({ tags }) => tags.includes('openWithHost'))
  const withStore = async (
    use: (store: TrialStore & { readonly kind: 'postgres' }) => Promise<void>,
  ): Promise<void> => {
    const store = newStore()
    await closed(await right(openTrialStore(store)))
    await use(store)
  }
  return {
    contract: contract.filter((one) => !slow.includes(one)),
    trials: [
      {
        check: 'slow hosts',
        found: 'transactions of others that begin earlier and end later hold nobody up and change no order',
        advice: 'look for what else uses this database',
        run: async () => {
          for (const one of slow) await one.run()
        },
      },
      raceTrial((use) => withStore(use)),
      killedInTransaction(withStore),
      frozenInTransaction(withStore),
      lostAnswers(url, newStore),
    ],
    remove: () => drop([...made]),
  }
}

const settingsIn = (url: string, schema: string): Settings => {
  const settings = settingsOf({ url, schema })
  if (E.isLeft(settings)) throw refuse('CONFIGURATION_INVALID', settings.left.message)
  return settings.right
}

const withConnection = async <A>(connect: Connect, use: (on: Connection) => Promise<A>): Promise<A> => {
  const on = await connect()
  try {
    return await use(on)
  } finally {
    await on.close()
  }
}

/** It has a transaction id, and so holds up whoever waits for the oldest one. */
const beginHost = async (connect: Connect): Promise<HostTransaction> => {
  const on = await connect()
  await on.query('BEGIN')
  await on.query('SELECT pg_current_xact_id()')
  return {
    commit: async () => {
      await on.query('COMMIT')
      await on.close()
    },
  }
}

type WithStore = (use: (store: TrialStore & { readonly kind: 'postgres' }) => Promise<void>) => Promise<void>

const killedInTransaction = (withStore: WithStore): Trial => ({
  check: 'killed',
  found: 'a process that was killed inside its transaction left nothing behind, and held nobody up',
  advice: 'look for a pooler or a proxy that keeps connections of dead clients open',
  run: () => withStore((store) => stoppedIn(store, true)),
})

const frozenInTransaction = (withStore: WithStore): Trial => ({
  check: 'frozen',
  found: 'a process that stopped inside its transaction was ended by the server, and the next one went on',
  advice: 'look for what keeps idle_in_transaction_session_timeout from the server',
  run: () => withStore((store) => stoppedIn(store, false)),
})

const stoppedIn = async (store: TrialStore & { readonly kind: 'postgres' }, isKilled: boolean): Promise<void> => {
  const child = startChild('hold the lock', store)
  try {
    await child.printed(1)
    if (isKilled) await child.kill()
    const storage = await right(openTrialStore(store))
    try {
      const [answer] = await append(storage, anyCommit({ organization: 'next', expected: 'none' }))
      ok(answer?._tag === 'committed', 'the next process could not append')
      same(await right(storage.store.importedTo()), 0n, 'a transaction that was never committed is in the store')
    } finally {
      await closed(storage)
    }
  } finally {
    await child.kill()
  }
}

const COMMITS = 60
/** Each so many answers to COMMIT are lost. */
const LOST_EACH = 4

const lostAnswers = (url: string, newStore: () => { readonly schema: string }): Trial => ({
  check: 'lost answers',
  found: 'commits whose answer was lost with the connection are there once, and are recognized when they come again',
  advice: 'look for a pooler or a proxy that sends statements again',
  run: async () => {
    let commits = 0
    const losing = async (settings: Settings): Promise<Connect> => {
      const connect = await connector(settings)
      return async () => losingAnswers(await connect(), () => ++commits % LOST_EACH === 0)
    }
    const storage = await right(openOver(losing, { url, schema: newStore().schema }))
    try {
      let lost = 0
      for (let n = 0n; n < COMMITS; n++) {
        const commit = anyCommit({ organization: 'acme', expected: n === 0n ? 'none' : n })
        const first = await storage.store.append([commit])()
        if (E.isLeft(first)) lost += 1
        const [answer] = E.isLeft(first) ? await again(() => storage.store.append([commit])()) : first.right
        same(answer, { _tag: E.isLeft(first) ? 'duplicate' : 'committed', sequence: n + 1n, position: n + 1n })
      }
      ok(lost > 0, 'no answer was lost in this trial')
      same((await right(storage.store.readAll(0n, COMMITS * 2))).length, COMMITS, 'commits are missing or doubled')
    } finally {
      await closed(storage)
    }
  },
})

/** The first answer to the same commit; that one may be lost as well. */
const again = async <A>(ask: () => Promise<E.Either<unknown, A>>): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (E.isRight(answer)) return answer.right
  }
}

/** A connection that ends when it has committed, before it says so. */
const losingAnswers = (inner: Connection, isDue: () => boolean): Connection => ({
  ...inner,
  query: async (text, values, timeoutMs) => {
    const result = await inner.query(text, values, timeoutMs)
    if (text !== 'COMMIT' || !isDue()) return result
    await inner.close()
    throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
  },
})
