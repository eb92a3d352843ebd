import { encodeUtf8 } from '../../core/bytes.ts'
import { createEngine } from '../../core/create-engine.ts'
import type { Engine } from '../../core/engine.ts'
import { failure, type Failure, type Json } from '../../core/failure.ts'
import { hashOf } from '../../core/log/chain.ts'
import type { Limits } from '../../core/operations/limits.ts'
import { publicApi } from '../../core/operations/public-api.ts'
import type { Row } from '../../core/ports/read-models.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, TE } from '../../core/prelude.ts'
import { unfinished, UnfinishedRow } from '../../core/projection/activities.ts'
import { storedName } from '../../core/projection/projection.ts'
import { nodeIds } from '../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'
import { isSame } from '../../core/audit/same-json.ts'
import type { Draft } from '../core/audit/forgery.ts'
import { keptOpen } from '../golden/office.ts'
import { simulatedSignatures } from '../simulate/simulated-signatures.ts'
import { right } from '../world.ts'
import { manualClock, quiet } from './manual-clock.ts'
import { serviceOperations, type Attempts, type Service } from './service-operations.ts'

/**
 * Whether a log is one that an engine writes which is sent the same requests, in this order and at these times: another
 * honest history of them. An engine is really sent them. What services answered is taken from the log, and so are events
 * that rest on a request which was erased: nobody can tell anything about those.
 *
 * @returns undefined, or the first event that the engine wrote otherwise
 */
export const differenceFromHistory = async (drafts: readonly Draft[]): Promise<string | undefined> => {
  const replay = replaying()
  try {
    return await replay.through(drafts)
  } finally {
    await replay.close()
  }
}

type Outcome = E.Either<Failure, { readonly receipt: string }>
type Attempt = { readonly answer: (outcome: Outcome) => void; readonly isOutside: boolean }

const replaying = () => {
  const storage = keptOpen(memoryStore())
  const { store } = storage
  const clock = manualClock(0)
  const attempts: { -readonly [name in keyof Attempts]: Attempts[name] } = {
    max: ATTEMPTS_MAX,
    whenInterrupted: 'retry',
    resumeAfterMs: 0,
  }
  /** Activities whose effects began in an event that was taken from the log. */
  const given = new Set<string>()
  /** Services that were asked and have not answered yet, by activity. */
  const asked = new Map<string, Attempt>()
  const service: Service = ({ activityId, signal }, isOutside) =>
    new Promise((resolve) => {
      asked.set(activityId, { answer: resolve, isOutside })
      signal.addEventListener('abort', () => resolve(unavailable))
    })
  const operations = [...publicApi, ...serviceOperations(service, attempts)]
  const engines: Engine[] = []
  const open = async (limits: Partial<Limits>, only?: string): Promise<Engine> => {
    const engine = await createEngine({
      store: only === undefined ? withoutUnfinished(storage, '') : withoutUnfinished(storage, only),
      clock,
      limits,
      operations,
      ids: nodeIds(),
      signatures: simulatedSignatures,
      waitForEffectsMs: 0,
    })
    engines.push(engine)
    return engine
  }
  const byLimits = new Map<string, Engine>()
  const engineFor = async ({ limits = {} }: Basis): Promise<Engine> => {
    const name = JSON.stringify(limits)
    const engine = byLimits.get(name) ?? (await open(limits))
    byLimits.set(name, engine)
    return engine
  }

  /** How often the effects that begin next are tried, and when another attempt may follow, is only said. */
  const attemptAsIn = (started: Draft | undefined, later: readonly Draft[]): void => {
    const { resumeAt, attempt } = started?.event.data ?? {}
    attempts.resumeAfterMs = typeof resumeAt === 'string' ? Date.parse(resumeAt) - clock.now() : 0
    const next = later.find(({ event }) => event.activity === started?.event.activity)
    attempts.max = next?.event.type === 'ActivityStarted' || typeof attempt !== 'number' ? ATTEMPTS_MAX : attempt
  }

  /** Sends the request that an event rests on. */
  const submit = async ({ event, request }: Draft, later: readonly Draft[]): Promise<void> => {
    const { basis } = event.data.decision as { readonly basis: Basis } // the audit has read it
    clock.set(Date.parse(basis.clock ?? basis.at))
    const [next] = later
    attemptAsIn(next, later.slice(1))
    const engine = await engineFor(basis)
    if (request === undefined) return
    const { head, body } = request
    const sent = { headers: { [head.header]: head.stamp }, body: encodeUtf8(body), address: basis.address }
    const path = pathOf(engine, body)
    const answer = path === undefined ? engine.createOrganization(sent)() : engine.submit(path, sent)()
    await quiet()
    const inside = asked.get(event.activity)
    if (inside !== undefined && !inside.isOutside) {
      asked.delete(event.activity)
      inside.answer(outcomeOf(next?.event))
    }
    await Promise.race([answer, quiet(40)])
  }

  /** Lets an attempt come to what the log says. */
  const conclude = async ({ event }: Draft): Promise<void> => {
    clock.set(Date.parse(event.at))
    const attempt = asked.get(event.activity)
    asked.delete(event.activity)
    attempt?.answer(outcomeOf(event))
    await quiet()
  }

  /** Another process finds that one was interrupted, and takes it up. */
  const takeUp = async (started: Draft, later: readonly Draft[]): Promise<void> => {
    clock.set(Date.parse(started.event.at))
    attemptAsIn(started, later)
    await open({}, started.event.activity)
    await quiet(12)
  }

  const through = async (drafts: readonly Draft[]): Promise<string | undefined> => {
    /** Events that the engine wrote, and that have not been compared yet; by organization. */
    const written = new Map<string, number>()
    for (const [index, draft] of drafts.entries()) {
      const { event } = draft
      const isOfSameLog = (other: Draft): boolean => other.event.organization === event.organization
      const later = drafts.slice(index + 1).filter(isOfSameLog)
      const earlier = drafts.slice(0, index).filter(isOfSameLog)
      const sequence = (written.get(event.organization) ?? 0) + 1
      written.set(event.organization, sequence)
      let found = await lineAt(event.organization, sequence)
      if (found === undefined) {
        if (given.has(event.activity) || restsOnErased(draft, earlier)) {
          if (event.type === 'ActivityStarted') given.add(event.activity)
          await inject(draft, sequence)
          continue
        }
        if (draft.request !== undefined) await submit(draft, later)
        else if (event.type === 'ActivityStarted') await takeUp(draft, later)
        else await conclude(draft)
        found = await lineAt(event.organization, sequence)
      }
      const difference = found === undefined ? 'is not written' : howDifferent(event, found)
      if (difference !== undefined) return `event ${index + 1}, ${event.type} of ${event.activity}, ${difference}`
    }
    for (const [organization, sequence] of written)
      if ((await lineAt(organization, sequence + 1)) !== undefined) return `more is written in ${organization}`
    return undefined
  }

  const lineAt = async (organization: string, sequence: number): Promise<Draft['event'] | undefined> => {
    const [line] = right(await store.readLog(organization, BigInt(sequence - 1), 1)())
    return line === undefined ? undefined : (JSON.parse(new TextDecoder().decode(line.line)) as Draft['event']) // our own line
  }

  const inject = async ({ event }: Draft, sequence: number): Promise<void> => {
    const { organization, activity } = event
    const head = right(await store.head(organization)())
    const revision = right(await store.readActivity(organization, activity)()).length + 1
    const line = encodeUtf8(
      JSON.stringify({
        ...event,
        sequence: String(sequence),
        revision: String(revision),
        previous: head === undefined ? '0'.repeat(64) : hashOf(simulatedSignatures, head.line),
      }),
    )
    const record = { id: event.id, activity, revision: BigInt(revision), line, parts: [] }
    right(await store.append([{ organization, expected: 'any', events: [record], checks: [] }])())
  }

  return {
    through,
    close: async () => {
      for (const engine of engines) await engine.close()
    },
  }
}

const ATTEMPTS_MAX = 1000

type Basis = {
  readonly at: string
  readonly clock?: string
  readonly address: string | null
  readonly limits?: Partial<Limits>
}

const unavailable: Outcome = E.left(failure('UNAVAILABLE', 'the engine is closing'))

/** What the service must have said for the event to be written. */
const outcomeOf = (event: Draft['event'] | undefined): Outcome => {
  const { performed, failure: said } = event?.data ?? {}
  if (performed !== undefined) return E.right(performed as { readonly receipt: string }) // the operation's codec reads it
  return said === undefined ? unavailable : E.left(said as Failure) // the audit has read it
}

const pathOf = (engine: Engine, body: string): string | undefined => {
  const { type } = JSON.parse(body) as { readonly type: string }
  if (type === 'ACTIVITY_TYPE_CREATE_ORGANIZATION') return undefined
  if (type === 'ACTIVITY_TYPE_APPROVE_ACTIVITY') return 'approve_activity'
  if (type === 'ACTIVITY_TYPE_REJECT_ACTIVITY') return 'reject_activity'
  return engine.catalogue.byType(type)?.operation.path
}

/** Whether the request of the event is gone, or that of the activity which it concludes. */
const restsOnErased = ({ event, request }: Draft, earlier: readonly Draft[]): boolean => {
  if (event.data.decision !== undefined && request === undefined) return true
  const created = earlier.find((one) => one.event.activity === event.activity)
  if (created !== undefined && created.request === undefined) return true
  // A conclusion in the commit of the decision before it is written together with that.
  const before = earlier.at(-1)
  return event.data.decision === undefined && before?.event.data.decision !== undefined && before.request === undefined
}

const howDifferent = (said: Draft['event'], written: Draft['event']): string | undefined => {
  if (said.type !== written.type || said.activity !== written.activity)
    return `is written as ${written.type} of ${written.activity}`
  if (said.at !== written.at) return `is written at ${written.at} instead of ${said.at}`
  const [one, other] = [withoutRead(said.data), withoutRead(written.data)]
  return isSame(one, other) ? undefined : `is written with ${JSON.stringify(other)} instead of ${JSON.stringify(one)}`
}

/** The state that it was decided on may have been written down at an earlier place, which said the same. */
const withoutRead = (data: { readonly [member: string]: Json }): Json => {
  const copy = structuredClone(data) as { decision?: { basis: { read?: Json } } } // the audit has read it
  delete copy.decision?.basis.read
  return copy
}

/** A storage in which a new process finds nothing to take up, but for one activity. */
const withoutUnfinished = (storage: Storage, only: string): Storage => ({
  ...storage,
  readModels: {
    ...storage.readModels,
    rows: (name, organization, options) => {
      const found = storage.readModels.rows(name, organization, options)
      const isWanted = ({ value }: Row): boolean => UnfinishedRow.is(value) && value.activity === only
      return name === storedName(unfinished) ? TE.map((rows: readonly Row[]) => rows.filter(isWanted))(found) : found
    },
  },
})
