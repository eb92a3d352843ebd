import { parseEnvelope } from '../activity/envelope.ts'
import { activityIdOf, fingerprintOf } from '../activity/identity.ts'
import { failure, type Failure } from '../failure.ts'
import { instant, type Happening } from '../log/event.ts'
import { createOrganization as operation } from '../operations/organization/create-organization.ts'
import { initial, ownerOf } from '../organization/organization.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Request } from '../request.ts'
import { stampOf, verifyStamp, type Stamp } from '../stamp/stamp.ts'
import { stampHeadersOf, type Authenticated, type Caller } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import type { Asked, Cell } from './cell.ts'
import { conclude, decisionOf, type Proposal } from './turn.ts'
import { viewOf } from './view.ts'

/** An organization that has begun; the hash of its log's second line is what an auditor can pin. */
export type Begun = { readonly activity: ActivityView; readonly genesisHash: string }

/**
 * Begins an organization. Its first activity is stamped by a root key that it registers: nobody else can vouch for it
 * yet. Submitting the same body again gives the same organization, however late: a start that was interrupted is finished
 * by the next.
 */
export const createOrganization =
  (ports: CommandPorts) =>
  async (request: Request): Promise<E.Either<Failure, Begun>> => {
    const genesis = await genesisOf(ports, request)
    if (E.isLeft(genesis)) return genesis
    const { organizationId } = genesis.right
    for (let refusals = 0; refusals < REFUSALS_MAX; refusals += 1) {
      const loaded = await ports.organizations.load(organizationId)
      if (E.isLeft(loaded) && loaded.left.code !== 'ORGANIZATION_NOT_FOUND') return loaded
      const cell = E.isRight(loaded) ? loaded.right : ports.organizations.begin(organizationId)
      if (cell.tip.sequence === 0n) commitGenesis(ports, cell, genesis.right)
      if (await cell.settled(cell.tip.sequence)) return begun(ports, cell, genesis.right)
      const fate = cell.refusal?.fate
      if (fate !== undefined && E.isLeft(fate) && fate.left.code !== 'CONFLICT') return fate
    }
    return E.left(failure('UNAVAILABLE', 'the organization could not be stored; try again'))
  }

const REFUSALS_MAX = 4

type Genesis = {
  readonly organizationId: string
  readonly activityId: string
  readonly fingerprint: string
  readonly asked: Asked
  readonly caller: Caller
  readonly request: Authenticated
  readonly atMs: number
}

const genesisOf = async (ports: CommandPorts, request: Request): Promise<E.Either<Failure, Genesis>> => {
  const envelope = parseEnvelope(request.body)
  if (E.isLeft(envelope)) return envelope
  const { organizationId, type, parameters } = envelope.right
  const headers = stampHeadersOf(request)
  const stamp = E.isLeft(headers) ? headers : stampOf('submit')(headers.right)
  if (E.isLeft(stamp)) return stamp
  const version = operation.versions[0]
  if (type !== operation.type || version === undefined)
    return E.left(failure('REQUEST_INVALID', `expected the type ${operation.type}`))
  const asked = version.decodeIntent(parameters)
  if (E.isLeft(asked)) return asked
  const atMs = ports.clock.now()
  const admitted = operation.admit(asked.right.intent, { organization: initial(organizationId), atMs })
  if (E.isLeft(admitted)) return admitted
  const { digest } = ports.rules
  const fingerprint = fingerprintOf(digest, request.body)
  const activityId = activityIdOf(digest, organizationId, fingerprint)
  const caller = rootCaller(ports, { organizationId, activityId, asked: asked.right, atMs }, stamp.right)
  if (E.isLeft(caller)) return caller
  if (!(await verifyStamp(ports.signatures)(stamp.right, request.body, caller.right.apiKey.curve)))
    return E.left(wrongSignature)
  const stamped = {
    header: 'X-Stamp' as const,
    stamp: E.isRight(headers) ? (headers.right.stamp ?? '') : '',
    body: request.body,
  }
  return E.right({
    organizationId,
    activityId,
    fingerprint,
    asked: asked.right,
    caller: caller.right,
    atMs,
    request: {
      organizationId,
      json: null,
      stamped,
      stamp: stamp.right,
      address: request.address,
      callerIn: () => caller,
    },
  })
}

/** The root user whose key stamped the request, in the state that the request leads to. */
const rootCaller = (
  ports: CommandPorts,
  { organizationId, activityId, asked, atMs }: Pick<Genesis, 'organizationId' | 'activityId' | 'asked' | 'atMs'>,
  { publicKey }: Stamp,
): E.Either<Failure, Caller> => {
  const draft = initial(organizationId)
  const happening = conclude(
    ports.rules,
    { ...proposalOf(asked, activityId, atMs), organization: draft, sequence: 0n },
    '',
  )
  if (happening.type === 'ActivityFailed') return E.left(happening.data.failure)
  if (happening.type === 'ActivityCompleted') operation.evolve(draft, happening.data.change, { activityId, atMs })
  return E.fromNullable(noRootKey)(ownerOf(draft, publicKey))
}

const proposalOf = (asked: Asked, activityId: string, atMs: number): Omit<Proposal, 'organization' | 'sequence'> => ({
  activityId,
  atMs,
  clockMs: atMs,
  type: operation.type,
  operation,
  asked,
  performed: undefined,
})

const commitGenesis = (ports: CommandPorts, cell: Cell, genesis: Genesis): void => {
  const { activityId, asked, atMs, caller, fingerprint, request } = genesis
  const proposal: Proposal = {
    ...proposalOf(asked, activityId, atMs),
    organization: cell.state,
    sequence: cell.tip.sequence,
  }
  const verdict = { outcome: 'ALLOWED', rule: 'genesis', evaluations: [] } as const
  const created: Happening = {
    type: 'ActivityCreated',
    data: {
      type: operation.type,
      requester: caller.userId,
      fingerprint,
      decision: decisionOf(ports.rules, proposal, request, caller, verdict),
    },
  }
  cell.commit({
    before: undefined,
    activityId,
    asked,
    at: instant(atMs),
    happenings: [created, conclude(ports.rules, proposal, caller.userId)],
    request: request.stamped,
  })
}

/** The organization's beginning, which is durable: the one that was asked for, or another. */
const begun = async (ports: CommandPorts, cell: Cell, genesis: Genesis): Promise<E.Either<Failure, Begun>> => {
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
const wrongSignature = failure('SIGNATURE_INVALID', 'could not verify api key signature')
