import { evolve, type Activity } from '../activity/activity.ts'
import { givenBy } from '../audit/bounded.ts'
import { revisionIn } from '../audit/check-revision.ts'
import { markErasedIn, type ErasedReads } from '../audit/erased-reads.ts'
import { intents, memoryScratch, type Intents, type KeptIntent } from '../audit/intents.ts'
import { slim } from '../audit/keep.ts'
import { own } from '../audit/own.ts'
import { approvalIn, approvalsOf } from '../deciding/decision-input.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import { inspectedBy, inspectServices, type InspectPorts } from '../definition/inspect-services.ts'
import { decodedIn, type DecodedIntent, type Operation, type Version } from '../definition/operation.ts'
import type { Services } from '../definition/port.ts'
import type { Failure } from '../failure.ts'
import { millis, type Event, type EventOf } from '../log/event.ts'
import { REQUEST, type Parts } from '../log/parts.ts'
import { decodeRequestPart } from '../log/request-part.ts'
import { isWaiting, statusAfter } from '../log/standing.ts'
import { foldEvent } from '../organization/fold.ts'
import { initial, type Draft } from '../organization/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Recorded } from '../ports/event-store.ts'
import type { Scratch } from '../ports/scratch.ts'
import { E } from '../prelude.ts'
import type { PastDecision } from './past-decision.ts'

/** What a walk over a log needs. Decisions on requests that `inspect` cannot read again are not known. */
export type WalkPorts = InspectPorts & {
  readonly catalogue: Pick<Catalogue, 'byType' | 'generation'>
  /** Keeps requests that wait for approvals. Default: memory. */
  readonly scratch?: Scratch | undefined
  /** Bounds how long the code of a host may take. */
  readonly clock?: Clock | undefined
}

/** Goes through logs event by event, and shows each decision on the state before it. */
export type Walk = {
  /** How often a personal member was read that was erased. */
  readonly erasedReads: ErasedReads
  /**
   * Takes the next event of a log: shows its decision, and applies the event to the state. Events of one log come in order.
   *
   * @param parts  the parts that folds read
   */
  readonly take: (recorded: Recorded, event: Event, parts: Parts) => Taken
}
type Taken = E.Either<Failure, void> | Promise<E.Either<Failure, void>>

/**
 * Begins a walk. It trusts the log, and checks nothing of what an audit checks.
 *
 * @param isWanted  which decisions to show
 */
export const walk = (
  { catalogue, scratch = memoryScratch(), clock, ...given }: WalkPorts,
  isWanted: (event: Decided) => boolean,
  show: (past: PastDecision) => void,
): Walk => {
  const erasedReads: ErasedReads = { count: 0 }
  const kept = intents(scratch)
  const logs = new Map<string, WalkedLog>()
  const inspecting = { services: inspectServices(given), clock }

  const decide = (log: WalkedLog, live: Live, event: Decided): void | Promise<void> => {
    const settle = (): void => keep(log, live, event)
    if (!isWanted(event)) return settle()
    const shown = (decoded: DecodedIntent | undefined): void => {
      show(pastDecision(log, live, event, decoded))
      settle()
    }
    const decoded = live.intent?.decoded()
    const form = formOf(live, event)
    if (decoded === undefined || form?.inspects(decoded) !== true) return shown(decoded)
    return inspected(inspecting, form, decoded).then(shown)
  }

  return {
    erasedReads,
    take: (recorded, event, parts) => {
      const log = logs.get(event.organization) ?? walkedLog(event.organization)
      logs.set(event.organization, log)
      const after = (): E.Either<Failure, void> => {
        const folded = foldEvent(log.draft, event, catalogue, parts)
        if (E.isRight(folded)) markErasedIn(log.draft, parts, erasedReads)
        return folded
      }
      if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') return after()
      const live =
        event.type === 'ActivityCreated'
          ? created(catalogue, isWanted(event) || isWaiting(statusAfter(event)) ? kept : undefined, recorded, event)
          : log.waiting.get(event.activity)
      const decided = live && decide(log, live, event)
      return decided === undefined ? after() : decided.then(after)
    },
  }
}

type Decided = PastDecision['event']

/** One organization's log, as far as it was walked. Of activities, it keeps those that wait for votes. */
type WalkedLog = { readonly draft: Draft; readonly waiting: Map<string, Live> }

const walkedLog = (organization: string): WalkedLog => ({ draft: initial(organization), waiting: new Map() })

type Live = {
  /** `undefined` before its first event. */
  readonly activity: Activity | undefined
  readonly type: string
  readonly requester: string
  readonly found: ReturnType<Catalogue['byType']>
  readonly intent: KeptIntent | undefined
  readonly isErased: boolean
  readonly votes: number
}

/** @param kept  `undefined` where nobody needs the request */
const created = (
  catalogue: WalkPorts['catalogue'],
  kept: Intents | undefined,
  { parts }: Recorded,
  { data: { type, requester } }: EventOf<'ActivityCreated'>,
): Live => {
  const found = catalogue.byType(type)
  const part = parts.find(({ name }) => name === REQUEST)
  return {
    activity: undefined,
    type,
    requester,
    found,
    intent: kept && found && part && intentIn(kept, found.version, part.bytes),
    isErased: part === undefined,
    votes: 0,
  }
}

const intentIn = (kept: Intents, version: Version, bytes: Uint8Array): KeptIntent | undefined => {
  const request = decodeRequestPart(bytes)
  if (E.isLeft(request)) return undefined
  const { body } = request.right
  const decoded = decodedIn(version, body)
  return decoded && kept.keep(body, decoded, (again) => decodedIn(version, again))
}

const formOf = ({ found }: Live, event: Decided): Operation | undefined => found?.operation.formOf(revisionIn(event))

const inspected = async (
  { services, clock }: Pick<WalkPorts, 'clock'> & { readonly services: Services },
  form: Operation,
  decoded: DecodedIntent,
): Promise<DecodedIntent | undefined> => {
  const stopping = new AbortController()
  const outcome = await givenBy(clock, () => inspectedBy(services, form, decoded, stopping.signal))
  if (outcome === undefined) stopping.abort()
  return outcome !== undefined && E.isRight(outcome.given) ? outcome.given.right : undefined
}

const pastDecision = (
  { draft }: WalkedLog,
  live: Live,
  event: Decided,
  decoded: DecodedIntent | undefined,
): PastDecision => {
  const { activity, type, requester, isErased, votes } = live
  const { basis } = event.data.decision
  const isRejection = event.type === 'ActivityVoted' && event.data.selection === 'VOTE_SELECTION_REJECTED'
  const userId = event.type === 'ActivityCreated' ? requester : event.data.user
  const cast = isRejection ? undefined : approvalIn(userId, basis)
  return {
    event,
    vote: votes + 1,
    organization: draft,
    type,
    requester,
    form: formOf(live, event),
    decoded,
    isErased,
    approvals: approvalsOf(activity, millis(basis.at), cast),
  }
}

/** Keeps the activity if it waits for more votes, and else frees its intent. */
const keep = ({ waiting }: WalkedLog, live: Live, event: Decided): void => {
  const activity = evolve(live.activity, event)
  if (isWaiting(activity.status)) {
    waiting.set(own(event.activity), { ...live, activity: slim(activity), votes: live.votes + 1 })
    return
  }
  live.intent?.release()
  waiting.delete(event.activity)
}
