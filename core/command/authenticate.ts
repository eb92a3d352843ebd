import type { Speaker } from '../deciding/proposal.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { StampedRequest } from '../log/request-part.ts'
import type { AttestedBy } from '../log/decision.ts'
import {
  isAttested,
  isBoundByAddress,
  isExpired,
  kindOfStamp,
  type Caller,
  type Stamp,
} from '../organization/credential.ts'
import { nameOf } from '../organization/credentials.ts'
import { verifyStamp } from '../organization/stamp.ts'
import { hasEnded, organizationNotFound } from '../organization/ended.ts'
import { allowsAddress, type Sender } from '../organization/ip-allowlists.ts'
import { parentOf } from '../organization/profile.ts'
import type { Organization } from '../organization/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { Request } from '../request.ts'
import type { Cell } from '../writing/cell.ts'
import type { Organizations } from '../writing/organizations.ts'
import { callerFinder, vouchedBy, type Finder, type VouchingPorts } from './attested.ts'
import { homeOf, type Sight } from './home.ts'
import { confirmAll } from './may-tell.ts'
import { readRequest } from './read-request.ts'
import { rememberStamp } from './read-stamp.ts'

/** A request whose signature was verified over its raw bytes. */
export type Authenticated = {
  readonly organizationId: string
  /** The organization in which the credential was found: this one, or its parent. */
  readonly home: string
  readonly json: Json
  readonly stamped: StampedRequest
  readonly stamp: Stamp
  /** Who vouches for the key of the stamp, if that brought a token. */
  readonly attested?: AttestedBy | undefined
  readonly address: string | null
  /**
   * Whose credential this is in given states, if the organization lets it in from this address. It may have been deleted, or have expired,
   * since it was verified; and the lists of addresses may have changed.
   */
  readonly callerIn: (sight: Sight, atMs: number) => E.Either<Failure, Caller>
}

/** What a decision says of a request and its caller. */
export const speakerOf = ({ stamp, address, attested }: Authenticated, { userId, credentialId }: Caller): Speaker => ({
  userId,
  credentialId,
  scheme: stamp.scheme,
  address,
  attested,
})

/** Where a request comes from. */
export const senderOf = ({ address }: Authenticated, { publicKey }: Caller): Sender => ({ publicKey, address })

export type AuthenticatePorts = VouchingPorts & {
  readonly organizations: Organizations
  readonly signatures: Signatures
  readonly clock: Clock
  readonly telemetry: Telemetry | undefined
}

/**
 * Makes the first refusals, in the order of the wire: body, organization id, stamp present, stamp parsed, organization, credential,
 * expiry, signature over the raw bytes, address. The address comes behind the signature: whoever has no key of the organization must not
 * learn whether it has a list of addresses. A body that requests an activity, or votes, is not accepted as a query.
 *
 * A credential is looked for in the organization, then in its parent. One that was deleted is not found, except by whoever may still submit
 * something in it; its turn judges that.
 *
 * @param admit  may refuse the request before anything of it is looked up or verified: organization and key are what the request claims
 * @param inside  the organization that is asked. Default: the one that the body names
 */
export const authenticate =
  (
    { organizations, signatures, clock, telemetry, ...vouching }: AuthenticatePorts,
    kind: 'submit' | 'query',
    admit: (organizationId: string, stamp: Stamp) => E.Either<Failure, unknown> = E.right,
    inside?: string,
  ) =>
  async (request: Request): Promise<E.Either<Failure, Authenticated>> => {
    const read = readRequest(request, kind)
    if (E.isLeft(read)) return read
    const { json, header, text, stamp } = read.right
    const organizationId = inside ?? read.right.organizationId
    const admitted = admit(organizationId, stamp)
    if (E.isLeft(admitted)) return admitted
    const { keyIn, refusals } = kindOfStamp(stamp)
    const finder = callerFinder(stamp)
    if (E.isLeft(finder)) return finder
    const { find: findIn, attestation } = finder.right
    const callerIn = callerOf(stamp, finder.right)
    const verified = async (found: Found): Promise<E.Either<Failure, Verified>> => {
      const verify = (): Promise<boolean> => verifyStamp(signatures)(stamp, request.body, found.caller)
      const { scheme } = stamp
      const isValid = await (telemetry === undefined
        ? verify()
        : telemetry.span('countersign.verify', { scheme }, verify, (valid) => (valid ? 'ok' : 'SIGNATURE_INVALID')))
      if (!isValid) return refusedIn(found.organization, refusals.invalid, stamp)
      if (stamp.kind !== 'attested' || attestation === undefined) return E.right({ ...found, attested: undefined })
      const vouched = await vouchedBy(vouching, stamp.token, attestation)
      if (E.isLeft(vouched)) return vouched
      const attested = vouched.right
      return attested ? E.right({ ...found, attested }) : refusedIn(found.organization, refusals.invalid, stamp)
    }
    // If the stamp has the key itself, no other state would give its signature another answer. Otherwise its credential may have another key there.
    const hasKey = keyIn(stamp) !== undefined
    const found = await durably<Found | Verified>(organizations, organizationId, async (cell, load) => {
      const home = await homeIn(cell, findIn, load)
      if (E.isLeft(home)) return home
      const { state: organization } = cell
      if (kind === 'query' && hasEnded(organization)) return E.left(organizationNotFound(organizationId))
      const sight = { organization, home: home.right.state }
      const caller = callerIn(sight, home.right.timeAt(clock.now()))
      if (E.isLeft(caller)) return caller
      if (!hasKey && home.right === cell) {
        const isAccepted = await acceptsBelow(cell, stamp, load)
        if (E.isLeft(isAccepted)) return isAccepted
        if (!isAccepted.right) return refusedIn(organization, refusals.invalid, stamp)
      }
      const one = { caller: caller.right, home: home.right.organizationId, organization }
      return hasKey ? E.right(one) : verified(one)
    })
    if (E.isLeft(found)) return found
    const known = 'attested' in found.right ? E.right(found.right) : await verified(found.right)
    if (E.isLeft(known)) return known
    const { caller, home, organization, attested } = known.right
    const stamped: StampedRequest = { header, stamp: text, body: request.body }
    rememberStamp(stamped, stamp)
    const { address } = request
    const authenticated: Authenticated = {
      organizationId,
      home,
      json,
      stamped,
      stamp,
      attested,
      address,
      callerIn: (sight, atMs) =>
        E.flatMap(letIn(sight.organization, address))(E.flatMap(sameAs(caller))(callerIn(sight, atMs))),
    }
    if (E.isRight(letIn(organization, address)(caller))) return E.right(authenticated)
    // A refusal has to rest on durable events, as those above. Without one, each turn judges the address again.
    const judged = await durably(organizations, organizationId, async (cell, load) => {
      const at = await homeOf(authenticated, cell, load)
      return E.isLeft(at)
        ? at
        : authenticated.callerIn({ organization: cell.state, home: at.right.state }, cell.timeAt(clock.now()))
    })
    return E.map(() => authenticated)(judged)
  }

type Verified = Found & { readonly attested: AttestedBy | undefined }

/** A caller, where they were found, and the organization that is asked. */
type Found = { readonly caller: Caller; readonly home: string; readonly organization: Organization }

/**
 * The cell in which the credential is to be looked for. If the organization and its parent have it, the organization's user speaks; of one
 * that has ended, the parent's.
 */
const homeIn = async (
  cell: Cell,
  findIn: (organization: Organization) => Caller | undefined,
  load: Organizations['load'],
): Promise<E.Either<Failure, Cell>> => {
  const parentId = parentOf(cell.state)
  if (parentId === undefined || (findIn(cell.state) !== undefined && !hasEnded(cell.state))) return E.right(cell)
  const parent = await load(parentId)
  return E.isRight(parent) && findIn(parent.right.state) === undefined ? E.right(cell) : parent
}

/** Whether the parent accepts a stamp by a user of the organization below it: where it was made is the parent's to say. */
const acceptsBelow = async (
  { state }: Cell,
  stamp: Stamp,
  load: Organizations['load'],
): Promise<E.Either<Failure, boolean>> => {
  const parentId = parentOf(state)
  if (parentId === undefined) return E.right(true)
  return E.map((parent: Cell) => kindOfStamp(stamp).accepts(parent.state, stamp))(await load(parentId))
}

/** Whether the organization lets in the credential from the address. The refusal says no word of why. */
const letIn =
  (organization: Organization, address: string | null) =>
  (caller: Caller): E.Either<Failure, Caller> =>
    !isBoundByAddress(caller) || allowsAddress(organization, { publicKey: caller.publicKey, address })
      ? E.right(caller)
      : E.left(notLetIn)
export const notLetIn = failure('REQUEST_NOT_AUTHORIZED', 'request not authorized')

/**
 * Whether the credential is the one that was verified. A passkey's name is not its key: somebody may have deleted it meanwhile, and
 * registered another one under the same name.
 */
const sameAs =
  (verified: Caller) =>
  (found: Caller): E.Either<Failure, Caller> =>
    found.publicKey === verified.publicKey ? E.right(found) : E.left(changedMeanwhile)
const changedMeanwhile = failure('CREDENTIAL_NOT_FOUND', 'the credential of the stamp was registered anew; sign again')

/**
 * Computes a value from the present states of the organization, and of others that it loads. A refusal may rest on events that are not
 * durable yet: it waits until they are durable; if the store refuses them, the value is computed again.
 */
const durably = async <A>(
  organizations: Organizations,
  organizationId: string,
  ask: (cell: Cell, load: Organizations['load']) => Promise<E.Either<Failure, A>>,
): Promise<E.Either<Failure, A>> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const seen: Cell[] = []
    const load: Organizations['load'] = async (id) => {
      const cell = await organizations.load(id)
      if (E.isRight(cell)) seen.push(cell.right)
      return cell
    }
    const cell = await load(organizationId)
    if (E.isLeft(cell)) return cell
    const answer = await ask(cell.right, load)
    if (E.isRight(answer)) return answer
    const confirmed = await confirmAll(organizations, seen)
    if (E.isLeft(confirmed)) return confirmed
    if (confirmed.right) return answer
  }
  return E.left(keptChanging)
}

const ATTEMPTS_MAX = 16
export const keptChanging = failure('CONFLICT', 'the organization kept changing; try again')

const callerOf = (stamp: Stamp, { find, isInForce }: Finder): Authenticated['callerIn'] => {
  const { refusals, accepts } = kindOfStamp(stamp)
  return ({ organization, home }, atMs) => {
    // First: a token that is over must not tell whether somebody is meant by it.
    if (!isInForce(atMs)) return refusedIn(organization, expired, stamp)
    const caller = find(home)
    const isBelow = parentOf(organization) !== undefined
    // Never ORGANIZATION_MISMATCH: that would tell that another organization has this key.
    if (caller === undefined) return refusedIn(organization, isBelow ? refusals.unknownBelow : refusals.unknown, stamp)
    if (!isAttested(caller) && isExpired(caller, atMs)) return refusedIn(organization, expired, stamp)
    // What the organization accepts may change between the verification and the decision, so it is judged with the caller; of one below
    // another one, it was judged when the request came.
    if (parentOf(home) !== undefined || accepts(home, stamp)) return E.right(caller)
    return refusedIn(organization, refusals.invalid, stamp)
  }
}

const expired = failure('API_KEY_EXPIRED', 'expired api key')

/** The refusal, with the organization and the name of the credential. Of an organization that has ended, nothing is told. */
const refusedIn = (organization: Organization, why: Failure, stamp: Stamp): E.Either<Failure, never> => {
  const { organizationId } = organization
  if (hasEnded(organization)) return E.left(organizationNotFound(organizationId))
  const name = `${kindOfStamp(stamp).refusals.nameIs}=${nameOf(stamp).name}`
  return E.left({ ...why, message: `${why.message} organizationId=${organizationId} ${name}` })
}
