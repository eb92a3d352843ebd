/** Two engines on one log, which are asked and written to while something happens to the server. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { EventStoreDbStoreOptions } from '../../../adapters/store-eventstoredb/options.ts'
import { CountersignError } from '../../../core/countersign-error.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { testPorts } from '../../core/world/ports.ts'
import { right, stamped, world, type World } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { memoryLender, openStores } from './under-test.ts'

export type BusyOptions = Partial<EventStoreDbStoreOptions> & {
  readonly connectionString: string
  readonly writers: number
  /** How many tags each writer makes at least: it goes on until the disturbance is over. */
  readonly tagsEach: number
  /** Happens while the writers write. */
  readonly disturb: (busy: Busy) => Promise<void>
}

export type Busy = {
  /** Until so many more tags were acknowledged. */
  readonly acknowledged: (count: number) => Promise<void>
}

export type BusyFigures = {
  readonly acknowledged: number
  /** Appended once, and not acknowledged: nothing may be, because each writer sends until it is answered. */
  readonly lost: number
  readonly duplicates: number
  /** Queries that were answered, and those that were refused as `UNAVAILABLE`. */
  readonly listed: number
  readonly refused: number
  /** Answered lists that lacked a tag which had been acknowledged before they were asked for. */
  readonly stale: number
}

const limits = { userTags: 10_000 }
const clock = { ...systemClock(), set: () => undefined, pass: () => undefined }
const TIMES = { appendTimeoutMs: 3_000, readTimeoutMs: 3_000 }

/** Fails if an answer is wrong; what the disturbance cost is in the figures. */
export const busyEngines = async (options: BusyOptions): Promise<BusyFigures> => {
  const { connectionString, writers, tagsEach, disturb, ...given } = options
  const lender = memoryLender()
  const connect = () => connectClient({ connectionString, ...TIMES })
  const prefix = `busy-${randomUUID()}-`
  const open = () => openStores(connect, lender, { ...given, prefix })
  const one = await world({ store: (await open()).storage, testClock: clock, limits })
  const beside = await createEngine({
    ...{ store: (await open()).storage, clock, limits, resources: publicApi },
    ...testPorts(),
  })
  const engines = [one.engine, beside]
  const acknowledged: string[] = []
  const watchers = engines.map((engine) => watching(engine))
  const over = new AbortController()

  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < tagsEach || !over.signal.aborted; n += 1) {
      const name = `tag ${writer} ${n}`
      const body = one.body('create_user_tag', { userTagName: name, userIds: [] })
      let tries = 0
      await until(async () => {
        const engine = engines[(writer + n + tries++) % engines.length] ?? one.engine
        const answer = await engine.submit('create_user_tag', stamped(one.root, body))()
        if (E.isRight(answer)) assert.is(answer.right.status, 'ACTIVITY_STATUS_COMPLETED')
        else assert.is(answer.left.code, 'UNAVAILABLE', answer.left.message)
        return E.isRight(answer)
      })
      acknowledged.push(name)
    }
  }

  const told = { listed: 0, refused: 0, stale: 0 }
  const list = async (engine: Engine): Promise<void> => {
    await until(async () => {
      const before = acknowledged.length
      const shown = await tagNames(one, engine)
      if (shown === undefined) told.refused += 1
      else {
        told.listed += 1
        if (acknowledged.slice(0, before).some((name) => !shown.has(name))) told.stale += 1
      }
      return over.signal.aborted
    })
  }

  const acknowledgedMore = async (count: number): Promise<void> => {
    const goal = acknowledged.length + count
    await until(() => acknowledged.length >= goal)
  }
  const disturbance = disturb({ acknowledged: acknowledgedMore }).finally(() => over.abort())
  await Promise.all([disturbance, ...Array.from({ length: writers }, (_, n) => write(n)), ...engines.map(list)])
  const figures = await examined(one, engines, acknowledged, watchers)
  await beside.close()
  await one.close()
  await lender.dispose()
  return { ...told, ...figures }
}

/** What there is at the end, as it was acknowledged, and as everybody was told. */
const examined = async (
  { storage, organizationId, root, answer }: World,
  engines: readonly Engine[],
  names: readonly string[],
  watchers: readonly ReturnType<typeof watching>[],
): Promise<Omit<BusyFigures, 'listed' | 'refused' | 'stale'>> => {
  const made = await activitiesIn(storage, organizationId)
  for (const engine of engines) {
    const { state } = right(await engine.replayOrganization(organizationId)())
    assert.is(state.organizationId, organizationId)
  }
  const { userTags } = await answer(root, 'list_user_tags')
  const shown = namesIn(userTags)
  const { activities } = await answer(root, 'list_activities', { paginationOptions: { limit: '100' } })
  const newest = made.toReversed().slice(0, 100)
  assert.equal(
    (activities as readonly { readonly id: string }[]).map(({ id }) => id), // as the wire has it
    newest,
    'activities are listed, newest first',
  )
  for (const watcher of watchers)
    assert.equal(await watcher.seen(made.length), made, 'watchers see all, once, in order')
  return {
    acknowledged: names.length,
    lost: names.filter((name) => !shown.includes(name)).length,
    duplicates: shown.length - new Set(shown).size + (made.length - new Set(made).size),
  }
}

const namesIn = (userTags: unknown): readonly string[] =>
  (userTags as readonly { readonly tagName: string }[]).map(({ tagName }) => tagName) // as the wire has it

/** `undefined` if the engine cannot say. */
const tagNames = async ({ organizationId, root }: World, engine: Engine): Promise<ReadonlySet<string> | undefined> => {
  const body = new TextEncoder().encode(JSON.stringify({ organizationId }))
  const answer = await engine.query('list_user_tags', stamped(root, body))()
  if (E.isRight(answer)) return new Set(namesIn(answer.right.userTags))
  assert.is(answer.left.code, 'UNAVAILABLE', answer.left.message)
  return undefined
}

/** The activities that were created, in the order of the log. */
const activitiesIn = async ({ store }: Storage, organizationId: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (let after = 0n; ;) {
    const page = right(await store.readLog(organizationId, after, 1_000, { parts: false })())
    for (const { activity, revision, sequence } of page) {
      if (revision === 1n) found.push(activity)
      after = sequence
    }
    if (page.length < 1_000) return found
  }
}

/** A host that follows the log, and goes on behind its last event when that fails. */
const watching = (engine: Engine) => {
  const found: string[] = []
  const stop = new AbortController()
  const follow = async (): Promise<void> => {
    let after: 'start' | bigint = 'start'
    await until(async () => {
      try {
        for await (const { event, position } of engine.follow({
          after,
          types: ['ActivityCreated'],
          signal: stop.signal,
        })) {
          after = position
          found.push(event.activity)
        }
      } catch (error) {
        if (!(error instanceof CountersignError) || error.code !== 'UNAVAILABLE') throw error
      }
      return stop.signal.aborted
    })
  }
  const following = follow()
  return {
    seen: async (count: number): Promise<readonly string[]> => {
      await until(() => found.length >= count)
      stop.abort()
      await following
      return found
    },
  }
}
