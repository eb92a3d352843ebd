import { parseEnvelope } from '../activity/envelope.ts'
import { activityIdOf, fingerprintOf } from '../activity/identity.ts'
import { failure, type Failure } from '../failure.ts'
import { instant } from '../log/event.ts'
import { createOrganization as operation } from '../resources/organization/create-organization.ts'
import { hasEnded, organizationNotFound } from '../organization/ended.ts'
import { initial } from '../organization/state.ts'
import { credentialNamed, nameOf } from '../organization/credentials.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { Request } from '../request.ts'
import { kindOfStamp, type Credential, type Stamp } from '../organization/credential.ts'
import { stampOf, verifyStamp } from '../organization/stamp.ts'
import { speakerOf, type Authenticated } from './authenticate.ts'
import { stampHeadersOf } from './read-request.ts'
import { beginLog } from './begin-log.ts'
import type { CommandPorts } from './bus.ts'
import type { Cell, Change } from '../writing/cell.ts'
import type { DecodedIntent } from '../definition/operation.ts'
import { admitContext } from '../deciding/admit-context.ts'
import { beginningOf } from '../deciding/beginning.ts'
import { subjectsOf } from '../deciding/payloads.ts'
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
    const { organizationId, activityId } = genesis.right
    const begun = await beginLog(ports, organizationId, activityId, (cell) => genesisIn(ports, cell, genesis.right))
    if (E.isLeft(begun)) return begun
    const { cell, live, genesisHash } = begun.right
    if (hasEnded(cell.state)) return E.left(organizationNotFound(organizationId))
    const { caller, atMs } = genesis.right
    const sight = { organization: cell.state, home: cell.state }
    return E.right({ activity: viewOf(sight, ports.rules, live, caller.userId, atMs), genesisHash })
  }

type Genesis = {
  readonly organizationId: string
  readonly activityId: string
  readonly fingerprint: string
  readonly decoded: DecodedIntent
  readonly caller: Credential
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
    return E.left(kindOfStamp(stamp).refusals.invalid)
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
      home: organizationId,
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
): E.Either<Failure, Credential> => {
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

const genesisIn = (ports: CommandPorts, cell: Cell, genesis: Genesis): Change => {
  const { activityId, decoded, atMs, caller, fingerprint, request } = genesis
  const proposal: Proposal = {
    ...proposalOf(decoded, activityId, atMs),
    organization: cell.state,
    sequence: cell.tip.sequence,
  }
  const { catalogue, digest } = ports.rules
  const requested = { fingerprint, ...subjectsOf(digest, proposal) }
  const { payload } = conclude(ports.rules, proposal, caller.userId, undefined)
  return {
    before: undefined,
    activityId,
    decoded,
    at: instant(atMs),
    payloads: beginningOf(catalogue, proposal, speakerOf(request, caller), requested, 'genesis', payload),
    request: request.stamped,
  }
}

const noRootKey = failure('PUBLIC_KEY_NOT_FOUND', 'expected a stamp of a root key that the request registers')
