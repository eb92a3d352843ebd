import { activityIdOf, resourceIds } from '../activity/identity.ts'
import { beginningOf } from '../deciding/beginning.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { completed } from '../deciding/payloads.ts'
import type { Rules } from '../deciding/proposal.ts'
import type { WrittenExecution } from '../definition/executed.ts'
import { refuse, valueOf } from '../definition/refuse.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { instant } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'
import { createOrganization } from '../resources/organization/create-organization.ts'
import { begunWith, type Beginning, type BegunBelow, type ToBegin } from '../resources/sub-organization/beginning.ts'
import { saidOfKeys, type PublicKeysBelow } from '../resources/sub-organization/keys-below.ts'
import type { Cell, Change } from '../writing/cell.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'
import { beginLog, type BeginPorts, type BegunLog } from './begin-log.ts'

type Ports = BeginPorts & {
  readonly rules: Pick<Rules, 'digest' | 'catalogue'>
  readonly clock: Clock
  readonly organizations: Organizations
  readonly activities: LiveActivities
}

/**
 * Begins the log of an organization below another one. The activity's start is durable then, so it exists only behind a permission; its id
 * follows from the activity, so that all attempts meet in one log. It looks at that log alone: an organization that was deleted since has
 * begun.
 */
export const beginning = (ports: Ports): Beginning => ({
  begin: (organization, activityId, makeKeys) => async () => {
    const begun = await begin(ports, organization, activityId, makeKeys)
    // Anything else than another log may pass, and a creation that was started has no other end.
    return E.isLeft(begun) && begun.left.code !== 'CONFLICT'
      ? E.left(failure('UNAVAILABLE', `the organization could not be begun: ${begun.left.message}`))
      : begun
  },
})

/** Whether an activity has begun an organization below its own: then it must not fail any more. */
export const hasBegun = async (
  { organizations, digest }: { readonly organizations: Pick<Organizations, 'fresh'>; readonly digest: Digest },
  activityId: string,
): Promise<E.Either<Failure, boolean>> => {
  const found = await organizations.fresh(resourceIds(digest, activityId)())
  if (E.isRight(found)) return E.right(true)
  return found.left.code === 'ORGANIZATION_NOT_FOUND' ? E.right(false) : found
}

const begin = async (
  ports: Ports,
  organization: ToBegin,
  activityId: string,
  makeKeys: () => Promise<PublicKeysBelow>,
): Promise<E.Either<Failure, BegunBelow>> => {
  const { organizations, activities, rules } = ports
  const parent = await organizations.load(organization.parentId)
  if (E.isLeft(parent)) return parent
  const found = await activities.find(parent.right, activityId)
  if (E.isLeft(found)) return found
  const live = found.right
  if (live === undefined || live.activity.attempt === 0) return E.left(notStarted)
  const childId = resourceIds(rules.digest, activityId)()
  const firstId = activityIdOf(rules.digest, childId, live.activity.fingerprint)
  const there = await organizations.fresh(childId)
  if (E.isLeft(there) && there.left.code !== 'ORGANIZATION_NOT_FOUND') return there
  // Only for a log that has not begun: where it has, its keys may be destroyed by now.
  const publicKeys = E.isLeft(there) ? await makeKeys() : undefined
  const begun = await beginLog(ports, childId, firstId, (child) =>
    firstCommit(ports, child, parent.right, live, outcomeOf(child, organization, publicKeys)),
  )
  return E.map(({ genesisHash, live: { activity } }: BegunLog): BegunBelow => {
    const { wallet, privateKeys, tokenKeys } = shownIn(activity.result)
    return { genesisHash, wallet, privateKeys, tokenKeys }
  })(begun)
}

/** The result and the change of the child's first activity. */
const outcomeOf = (child: Cell, organization: ToBegin, publicKeys: PublicKeysBelow | undefined): WrittenExecution => {
  if (publicKeys === undefined) throw refuse('UNAVAILABLE', 'the organization had begun, and is not there any more')
  const change = begunWith(organization, publicKeys)
  const { organizationId } = child
  return valueOf(createOrganization.writes({ result: { organizationId, ...saidOfKeys(change) }, change }))
}

type Shown = Omit<BegunBelow, 'genesisHash'>

/** What the result of the child's first activity shows of its keys. */
const shownIn = (result: Json | undefined): Shown => result as Shown // `outcomeOf` wrote it

const firstCommit = (
  { rules: { catalogue, digest }, clock }: Ports,
  child: Cell,
  parent: Cell,
  { activity: { requester, fingerprint, votes } }: LiveActivity,
  outcome: WrittenExecution,
): Change => {
  const atMs = parent.timeAt(clock.now())
  const proposal = {
    organization: child.state,
    sequence: child.tip.sequence,
    atMs,
    clockMs: atMs,
    activityId: activityIdOf(digest, child.organizationId, fingerprint),
    type: createOrganization.type,
    operation: createOrganization,
    // What is not durable yet may never be: the store might take this commit, and refuse those of the parent.
    others: new Map([[parent.organizationId, { state: parent.state, sequence: parent.durable.sequence }]]),
  }
  const [first] = votes
  const speaker = {
    userId: requester,
    credentialId: first?.credentialId ?? '',
    scheme: first?.scheme ?? '',
    address: null,
  }
  const end = completed(proposal, outcome, undefined)
  return {
    before: undefined,
    activityId: proposal.activityId,
    decoded: undefined,
    at: instant(atMs),
    payloads: beginningOf(catalogue, proposal, speaker, { fingerprint }, 'parent', end),
    request: undefined,
  }
}

const notStarted = failure('INTERNAL', 'the activity was not started')
