import { withHost } from '../../core/world/with-host.ts'
import { activityIdOf, resourceIds } from '../../../core/activity/identity.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import { failure, type Failure } from '../../../core/failure.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { decodePersonal, personOf } from '../../../core/log/personal-part.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import { E, type TE } from '../../../core/prelude.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Draft } from '../../core/audit/forgery.ts'
import { keptOpen } from '../../core/world/test-store.ts'
import { simulatedSignatures } from '../simulate/simulated-signatures.ts'
import { right } from '../../core/world/world.ts'
import { manualClock } from '../../../adapters/testing/office/manual-clock.ts'
import { counted, quiet } from '../../../adapters/testing/office/under-way.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { simulatedAttestations } from '../simulate/simulated-passkeys.ts'
import { ANY_LAG_MS } from './random-history.ts'
import { asImported, linesByPlace } from './as-imported.ts'
import { howDifferent, type Written } from './as-written.ts'
import { heldBeginnings } from './held-beginnings.ts'
import { serviceOperations, type Attempts, type Service } from './service-operations.ts'

/**
 * Whether a log is one that an engine writes which is sent the same requests, in this order and at these times: another
 * honest history of them. An engine is really sent them. What services answered is taken from the log, and so are events
 * that rest on a request which was erased: nobody can tell anything about those.
 *
 * @returns undefined, or the first event that the engine wrote otherwise
 */
export const differenceFromHistory = async (drafts: readonly Draft[]): Promise<string | undefined> => {
  const replay = replaying(linesByPlace(drafts))
  try {
    return await replay.through(drafts)
  } finally {
    await replay.close()
  }
}

type Outcome = E.Either<Failure, { readonly receipt: string }>
type Attempt = { readonly answer: (outcome: Outcome) => void; readonly isOutside: boolean }

const replaying = (lines: ReadonlyMap<string, string>) => {
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
  const resources = [...withHost(serviceOperations(service, attempts)), ...erasure]
  /** The activity whose work may begin now. */
  let current = ''
  /** What the engine itself does outside of the log. */
  const untilTold = (): TE.TaskEither<Failure, void> => () =>
    new Promise((resolve) => {
      const answer = (outcome: Outcome): void => resolve(E.isLeft(outcome) ? outcome : E.right(undefined))
      asked.set(current, { answer, isOutside: true })
    })
  const beginnings = heldBeginnings()
  const readLog = beginnings.readLogOf(store)
  const engines: Engine[] = []
  const open = async (limits: Limits): Promise<Engine> => {
    const engine = await createEngine({
      store: asImported(storage, untilTold, lines, readLog),
      clock,
      limits,
      resources,
      ids: nodeIds(),
      signatures: simulatedSignatures,
      attestations: counted(simulatedAttestations),
      tuning: { waitForEffectsMs: 0 },
      clockLagMaxMs: ANY_LAG_MS,
    })
    engines.push(engine)
    return engine
  }
  const byLimits = new Map<string, Engine>()
  const engineFor = async (limits: Limits): Promise<Engine> => {
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
  const submit = async (draft: Draft, later: readonly Draft[]): Promise<void> => {
    const { event, request } = draft
    current = event.activity
    beginnings.hold(belowOf(current))
    const { basis } = event.data.decision as { readonly basis: Basis } // the audit has read it
    clock.set(Date.parse(basis.clock ?? basis.at))
    const [next] = later
    attemptAsIn(next, later.slice(1))
    const engine = await engineFor(limitsIn(draft, later))
    if (request === undefined) return
    const { head, body } = request
    const [path, headers] = [pathOf(engine, body), { [head.header]: head.stamp }]
    const sent = { headers, body: encodeUtf8(body), address: addressIn(draft) }
    const answer = path === undefined ? engine.createOrganization(sent)() : engine.submit(path, sent)()
    await quiet()
    const id = idOf(event) // work inside is asked for before a decision: a denial has another id
    const inside = asked.get(id)
    if (inside !== undefined && !inside.isOutside) {
      asked.delete(id)
      inside.answer(id === event.activity ? outcomeOf(next?.event) : E.right({ receipt: '' }))
    }
    await Promise.race([answer, quiet()])
  }

  /** Lets an attempt come to what the log says. */
  const conclude = async ({ event }: Draft): Promise<void> => {
    clock.set(Date.parse(event.at))
    const attempt = asked.get(event.activity)
    asked.delete(event.activity)
    attempt?.answer(outcomeOf(event))
    if (event.type === 'ActivityCompleted') beginnings.letEnd(belowOf(event.activity))
    await quiet()
  }

  /** Lets an organization below another one begin. */
  const begin = async ({ event }: Draft): Promise<void> => {
    clock.set(Date.parse(event.at))
    beginnings.letBegin(event.organization)
    await quiet()
  }

  /** Another process finds that one was interrupted, and takes it up. */
  const takeUp = async (started: Draft, later: readonly Draft[]): Promise<void> => {
    const { organization: organizationId, activity: activityId, at, data } = started.event
    const due = typeof data.resumeAt === 'string' ? Date.parse(data.resumeAt) : Infinity
    clock.set(Math.min(Date.parse(at), due)) // it may have been behind the log
    attemptAsIn(started, later)
    current = activityId
    beginnings.hold(belowOf(current))
    const engine = await open({})
    right(await engine.resumeImported({ organizationId, activityId })())
    await quiet()
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
        const beganBy = beganByIn(event)
        if (given.has(beganBy ?? event.activity) || (beganBy === undefined && restsOnErased(draft, earlier))) {
          if (event.type === 'ActivityStarted' || beganBy !== undefined) given.add(event.activity)
          await inject(draft, sequence)
          continue
        }
        const isUnderWay = asked.has(event.activity) || beginnings.isUnderWay(belowOf(event.activity))
        if (beganBy !== undefined) await begin(draft)
        else if (draft.request !== undefined) await submit(draft, later)
        else if (event.type === 'ActivityStarted' || !isUnderWay) await takeUp(draft, later)
        else await conclude(draft)
        found = await lineAt(event.organization, sequence)
      }
      const difference = found === undefined ? 'is not written' : howDifferent(draft, found, earlier)
      if (difference !== undefined) return `event ${index + 1}, ${event.type} of ${event.activity}, ${difference}`
    }
    for (const [organization, sequence] of written)
      if ((await lineAt(organization, sequence + 1)) !== undefined) return `more is written in ${organization}`
    return undefined
  }

  const lineAt = async (organization: string, sequence: number): Promise<Written | undefined> => {
    const [record] = right(await store.readLog(organization, BigInt(sequence - 1), 1)())
    if (record === undefined) return undefined
    return { event: JSON.parse(new TextDecoder().decode(record.line)) as Draft['event'], parts: record.parts } // our own line
  }

  const inject = async ({ event, others = [] }: Draft, sequence: number): Promise<void> => {
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
    const record = {
      id: event.id,
      activity,
      revision: BigInt(revision),
      line,
      parts: others.map(({ salt, ...part }) => ({ ...part, salt: salt ?? new Uint8Array() })),
    }
    right(await store.append([{ organization, expected: 'any', events: [record], checks: [] }])())
  }

  return {
    through,
    close: async () => {
      for (const { answer } of asked.values()) answer(unavailable)
      beginnings.letAll()
      for (const engine of engines) await engine.close()
    },
  }
}

const ATTEMPTS_MAX = 1000

type Basis = { readonly at: string; readonly clock?: string; readonly limits?: Limits }

/** The organization that an activity begins, if it begins one. */
const belowOf = (activity: string): string => resourceIds(simulatedSignatures, activity)()

/** The activity of the parent that began a log; `undefined` for an event that begins none below another. */
const beganByIn = ({ data }: Draft['event']): string | undefined => {
  const { verdict, basis } = (data.decision ?? {}) as Partial<Decided> // the audit has read it
  const parent = verdict?.rule === 'parent' ? basis?.read?.[1]?.organization : undefined
  if (parent === undefined || typeof data.fingerprint !== 'string') return undefined
  return activityIdOf(simulatedSignatures, parent, data.fingerprint)
}

type Decided = {
  readonly verdict: { readonly rule: string }
  readonly basis: { readonly read?: readonly { readonly organization: string }[] }
}

/** The address of the caller: it stands in a part. Where that is erased, any address will do. */
const addressIn = ({ others = [], erased = {} }: Draft): string | null => {
  const known = others.map(({ bytes }) => decodePersonal(bytes)?.address).find((address) => address !== undefined)
  return known ?? (Object.keys(erased).some((name) => personOf(name) !== undefined) ? '192.0.2.1' : null)
}

/** The limits that were read for a decision, and for what followed of it until the next. */
const limitsIn = ({ event: { activity, data } }: Draft, later: readonly Draft[]): Limits => {
  const { basis } = data.decision as { readonly basis: Basis } // the audit has read it
  const ofActivity = later.filter(({ event }) => event.activity === activity)
  const next = ofActivity.findIndex(({ event }) => event.data.decision !== undefined)
  const read = ofActivity.slice(0, next < 0 ? undefined : next).map(({ event }) => event.data.limits)
  return Object.assign({}, basis.limits, ...read) as Limits
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

/** The id of the activity that was asked for, whatever became of it. */
const idOf = ({ organization, activity, data: { fingerprint } }: Draft['event']): string =>
  typeof fingerprint === 'string' ? activityIdOf(simulatedSignatures, organization, fingerprint) : activity

/** Whether the request of the event is gone, or that of the activity which it concludes. */
const restsOnErased = ({ event, request }: Draft, earlier: readonly Draft[]): boolean => {
  if (event.data.decision !== undefined && request === undefined) return true
  const created = earlier.find((one) => one.event.activity === event.activity)
  if (created !== undefined && created.request === undefined) return true
  // A conclusion in the commit of the decision before it is written together with that.
  const before = earlier.at(-1)
  return event.data.decision === undefined && before?.event.data.decision !== undefined && before.request === undefined
}
