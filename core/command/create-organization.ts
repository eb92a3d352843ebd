import { parseEnvelope } from '../activity/envelope.ts'
import { activityIdOf, fingerprintOf } from '../activity/identity.ts'
import { failure, type Failure } from '../failure.ts'
import { instant, type PayloadWithParts } from '../log/event.ts'
import { createOrganization as operation } from '../resources/organization/create-organization.ts'
import { hasEnded, organizationNotFound } from '../organization/ended.ts'
import { initial } from '../organization/state.ts'
import { credentialNamed, nameOf } from '../organization/credentials.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { Request } from '../request.ts'
import { kindOf, type Stamp } from '../organization/credential.ts'
import { stampOf, verifyStamp } from '../organization/stamp.ts'
import { speakerOf, stampHeadersOf, type Authenticated, type Caller } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import type { Cell } from '../writing/cell.ts'
import type { DecodedIntent } from '../definition/operation.ts'
import { admitContext } from '../deciding/admit-context.ts'
import { decisionOf, partsOfDecision, subjectsOf } from '../deciding/payloads.ts'
import { conclude } from '../deciding/trying.ts'
import { noOthers } from '../deciding/others.ts'
import type { Proposal } from '../deciding/proposal.ts'
import { viewOf } from './view.ts'

/** A created organization. An auditor can pin `genesisHash`, the hash of the second line of its log. */
export type CreatedOrganization = { readonly activity: ActivityView; readonly genesisHash: string }

/**
 * Creates an organization. Its first activity is stamped by a root key that it registers, because no other key is known yet. If the same
 * body is submitted again, at any time, the result is the same organization: so the next start finishes an interrupted one.
 */
export const createOrganization =
  (ports: CommandPorts) =>
  async (request: Request): Promise<E.Either<Failure, CreatedOrganization>> => {
    const genesis = await genesisOf(ports, request)
    if (E.isLeft(genesis)) return genesis
    const { organizationId } = genesis.right
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
      const loaded = await ports.organizations.fresh(organizationId) // the store may have lost what is in memory
      if (E.isLeft(loaded) && loaded.left.code !== 'ORGANIZATION_NOT_FOUND') return loaded
      const cell = E.isRight(loaded) ? loaded.right : ports.organizations.begin(organizationId)
      if (hasEnded(cell.state)) return E.left(organizationNotFound(organizationId))
      if (cell.tip.sequence === 0n) commitGenesis(ports, cell, genesis.right)
      if (await cell.durableTo(cell.tip.sequence)) return createdOf(ports, cell, genesis.right)
      const outcome = cell.refused?.outcome
      if (outcome !== undefined && E.isLeft(outcome) && outcome.left.code !== 'CONFLICT') return outcome
    }
    return E.left(failure('UNAVAILABLE', 'the organization could not be stored; try again'))
  }

const CONFLICTS_MAX = 4

type Genesis = {
  readonly organizationId: string
  readonly activityId: string
  readonly fingerprint: string
  readonly decoded: DecodedIntent
  readonly caller: Caller
  readonly request: Authenticated
  readonly atMs: number
}

const genesisOf = async (ports: CommandPorts, request: Request): Promise<E.Either<Failure, Genesis>> => {
  const envelope = parseEnvelope(request.body)
  if (E.isLeft(envelope)) return envelope
  const { organizationId, type, parameters } = envelope.right
  const headers = stampHeadersOf(request)
  const found = E.isLeft(headers) ? headers : stampOf('submit')(headers.right)
  if (E.isLeft(found)) return found
  const { header, text, stamp } = found.right
  const version = operation.versions[0]
  if (type !== operation.type || version === undefined)
    return E.left(failure('REQUEST_INVALID', `expected the type ${operation.type}`))
  const decoded = version.decodeIntent(parameters)
  if (E.isLeft(decoded)) return decoded
  const atMs = ports.clock.now()
  const admitted = operation.admit(
    decoded.right.intent,
    admitContext(ports.rules, initial(organizationId), atMs, { publicKey: undefined, address: request.address }),
  )
  if (E.isLeft(admitted)) return admitted
  const inspected = operation.inspects(decoded.right)
    ? await ports.inspect(organizationId, operation, decoded.right)
    : decoded
  if (E.isLeft(inspected)) return inspected
  const { digest } = ports.rules
  const fingerprint = fingerprintOf(digest, request.body)
  const activityId = activityIdOf(digest, organizationId, fingerprint)
  const caller = rootCaller(ports, { organizationId, activityId, decoded: inspected.right, atMs }, stamp)
  if (E.isLeft(caller)) return caller
  if (!(await verifyStamp(ports.signatures)(stamp, request.body, caller.right)))
    return E.left(kindOf(stamp).refusals.invalid)
  const stamped = { header, stamp: text, body: request.body }
  return E.right({
    organizationId,
    activityId,
    fingerprint,
    decoded: inspected.right,
    caller: caller.right,
    atMs,
    request: {
      organizationId,
      json: null,
      stamped,
      stamp,
      address: request.address,
      callerIn: () => caller,
    },
  })
}

/** The root user whose key stamped the request, in the state that the request leads to. */
const rootCaller = (
  ports: CommandPorts,
  { organizationId, activityId, decoded, atMs }: Pick<Genesis, 'organizationId' | 'activityId' | 'decoded' | 'atMs'>,
  stamp: Stamp,
): E.Either<Failure, Caller> => {
  const draft = initial(organizationId)
  const proposal = { ...proposalOf(decoded, activityId, atMs), organization: draft, sequence: 0n }
  const { payload } = conclude(ports.rules, proposal, '', undefined)
  if (payload.type === 'ActivityFailed') return E.left(payload.data.failure)
  if (payload.type === 'ActivityCompleted') {
    const parts = new Map(Object.entries(payload.parts ?? {}))
    operation.evolve(draft, payload.data.change, { activityId, sequence: 2n, atMs, parts })
  }
  return E.fromNullable(noRootKey)(credentialNamed(draft, nameOf(stamp)))
}

const proposalOf = (
  decoded: DecodedIntent,
  activityId: string,
  atMs: number,
): Omit<Proposal, 'organization' | 'sequence'> => ({
  activityId,
  atMs,
  clockMs: atMs,
  type: operation.type,
  operation,
  decoded,
  others: noOthers,
})

const commitGenesis = (ports: CommandPorts, cell: Cell, genesis: Genesis): void => {
  const { activityId, decoded, atMs, caller, fingerprint, request } = genesis
  const proposal: Proposal = {
    ...proposalOf(decoded, activityId, atMs),
    organization: cell.state,
    sequence: cell.tip.sequence,
  }
  const verdict = { outcome: 'ALLOWED', rule: 'genesis', evaluations: [] } as const
  const speaker = speakerOf(request, caller)
  const created: PayloadWithParts = {
    type: 'ActivityCreated',
    data: {
      type: operation.type,
      requester: caller.userId,
      fingerprint,
      decision: decisionOf(ports.rules.catalogue, proposal, speaker, verdict, undefined),
      ...subjectsOf(ports.rules.digest, proposal),
    },
    ...partsOfDecision(speaker),
  }
  cell.commit({
    before: undefined,
    activityId,
    decoded,
    at: instant(atMs),
    payloads: [created, conclude(ports.rules, proposal, caller.userId, undefined).payload],
    request: request.stamped,
  })
}

/** The beginning of the organization as it is in the store. Another request may have begun it. */
const createdOf = async (
  ports: CommandPorts,
  cell: Cell,
  genesis: Genesis,
): Promise<E.Either<Failure, CreatedOrganization>> => {
  const live = await ports.activities.find(cell, genesis.activityId)
  if (E.isLeft(live)) return live
  if (live.right === undefined)
    return E.left(failure('CONFLICT', 'an organization with this id has begun with another request'))
  const hash = await ports.organizations.genesisHash(cell.organizationId)
  if (E.isLeft(hash)) return hash
  const view = viewOf(cell.state, ports.rules.catalogue, live.right, genesis.caller.userId, genesis.atMs)
  return E.right({ activity: view, genesisHash: hash.right })
}

const noRootKey = failure('PUBLIC_KEY_NOT_FOUND', 'expected a stamp of a root key that the request registers')
