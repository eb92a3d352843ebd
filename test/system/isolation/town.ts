import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { faultyStore, type FaultyStorage } from '../../core/command/faulty-store.ts'
import { knownKeyring } from '../../core/world/keyring.ts'
import { sandboxPorts, testPorts } from '../../core/world/ports.ts'
import { countedStorage, keptOpen } from '../../core/world/test-store.ts'
import { inTime } from '../../core/world/under-way.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { begin, right, stamped, testClock, type Signer, type TestClock } from '../../core/world/world.ts'
import { hostOptions, never } from './host.ts'

/** Somebody of an organization. */
export type Citizen = Signer & { readonly organizationId: string; readonly userId: string }

export type Answer = E.Either<Failure, Json>

/** A store that can be closed and opened again. */
export type Site = { readonly open: () => Promise<Storage>; readonly remove: () => Promise<void> }

export const sites = {
  'the memory store': async () => {
    const kept = keptOpen(memoryStore())
    return { open: async () => kept, remove: async () => {} }
  },
  'the SQLite store': async () => {
    const folder = await temporaryFolder()
    return {
      open: async () => countedStorage(right(await openSqliteStore({ path: `${folder.path}/store.db` })())),
      remove: folder.remove,
    }
  },
} satisfies Readonly<Record<string, () => Promise<Site>>>

/** An engine on a store, and what can be asked of it. */
export type Town = {
  readonly engine: Engine
  readonly clock: TestClock
  readonly store: FaultyStorage
  readonly begin: (name: string) => Promise<Citizen>
  /** As it is: whoever waits for work has to let the clock go on. */
  readonly send: (who: Citizen, path: string, body: { readonly [member: string]: Json }) => Promise<Answer>
  readonly ask: (who: Citizen, path: string, body: { readonly [member: string]: Json }) => Promise<Answer>
  readonly submit: (who: Citizen, path: string, parameters: Json, type?: string) => Promise<ActivityView>
  /** Another engine on the same store, which remembers nothing. */
  readonly beside: () => Promise<Town>
  readonly close: () => Promise<void>
}

type Run = Parameters<typeof hostOptions>[0]

/** @param run  the work of notices; it never ends unless told otherwise */
export const openTown = async (site: Site, clock: TestClock = testClock(), run: Run = () => never): Promise<Town> => {
  const inner = await site.open()
  return townOn({ store: faultyStore({ inner }), clock, run }, async () => {
    await inner.readModels.close()
    await inner.store.close()
  })
}

const townOn = async (
  made: Pick<Town, 'store' | 'clock'> & { readonly run: Run },
  closeStore: () => Promise<void>,
): Promise<Town> => {
  const { store, clock } = made
  const engine = await createEngine({
    store,
    clock,
    ...testPorts(),
    ...hostOptions(made.run),
    ports: { keyring: knownKeyring(), ...sandboxPorts() },
  })
  const send: Town['send'] = async (who, path, body) =>
    viewed(await engine.submit(path, stamped(who, encodeUtf8(JSON.stringify(body))))())
  const ask: Town['ask'] = (who, path, body) => engine.query(path, stamped(who, encodeUtf8(JSON.stringify(body))))()
  const town: Town = {
    engine,
    clock,
    store,
    send,
    ask,
    submit: async (who, path, parameters, type) => {
      const request = stamped(who, bytesOf(town, who, path, parameters, type))
      return right(await inTime(clock, engine.submit(path, request)(), 0))
    },
    begin: async (name) => {
      const { root, organizationId } = await begin({ engine, clock }, { name })
      return { ...root, organizationId }
    },
    beside: () => townOn(made, async () => {}),
    close: async () => {
      await inTime(clock, engine.close(), 1_000)
      await closeStore()
    },
  }
  return town
}

/** The bytes that `submit` sends. */
export const bytesOf = (
  { engine, clock }: Pick<Town, 'engine' | 'clock'>,
  { organizationId }: Citizen,
  path: string,
  parameters: Json,
  type = engine.catalogue.byPath(path)?.type ?? `ACTIVITY_TYPE_${path.toUpperCase()}`,
): Uint8Array => {
  return encodeUtf8(JSON.stringify({ type, timestampMs: String(clock.now()), organizationId, parameters }))
}

const viewed = (answer: E.Either<Failure, ActivityView>): Answer =>
  E.isLeft(answer) ? answer : E.right(JSON.parse(JSON.stringify(answer.right)) as Json) // what JSON.parse gives
