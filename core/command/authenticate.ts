import { isForActivity, organizationOf } from '../activity/envelope.ts'
import type { Speaker } from '../deciding/proposal.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { parseStrict, requestJson } from '../json/strict-json.ts'
import type { StampedRequest } from '../log/request-part.ts'
import { isExpired, kindOf, type Credential, type Stamp } from '../organization/credential.ts'
import { finderOf, nameOf } from '../organization/credentials.ts'
import { stampOf, verifyStamp, type StampTexts } from '../organization/stamp.ts'
import { hasEnded, organizationNotFound } from '../organization/ended.ts'
import { allowsAddress, type Sender } from '../organization/ip-allowlists.ts'
import type { Organization } from '../organization/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import { STAMP_HEADERS, type Request, type StampHeader } from '../request.ts'
import type { Cell } from '../writing/cell.ts'
import type { Organizations } from '../writing/organizations.ts'
import { rememberStamp } from './read-stamp.ts'

/** Who asks, in one state of the organization. */
export type Caller = Credential

/** A request whose signature was verified over its raw bytes. */
export type Authenticated = {
  readonly organizationId: string
  readonly json: Json
  readonly stamped: StampedRequest
  readonly stamp: Stamp
  readonly address: string | null
  /**
   * Whose credential this is in a given state, if the organization lets it in from this address. It may have been deleted, or have expired,
   * since it was verified; and the lists of addresses may have changed.
   */
  readonly callerIn: (organization: Organization, atMs: number) => E.Either<Failure, Caller>
}

/** What a decision says of a request and its caller. */
export const speakerOf = ({ stamp, address }: Authenticated, { userId, credentialId }: Caller): Speaker => ({
  userId,
  credentialId,
  scheme: stamp.scheme,
  address,
})

/** Where a request comes from. */
export const senderOf = ({ address }: Authenticated, { publicKey }: Caller): Sender => ({ publicKey, address })

type Ports = {
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
 * @param admit  may refuse the request before anything of it is looked up or verified: organization and key are what the request claims
 */
export const authenticate =
  (
    { organizations, signatures, clock, telemetry }: Ports,
    kind: 'submit' | 'query',
    admit: (organizationId: string, stamp: Stamp) => E.Either<Failure, unknown> = E.right,
  ) =>
  async (request: Request): Promise<E.Either<Failure, Authenticated>> => {
    const json = parseStrict(request.body, requestJson)
    if (E.isLeft(json)) return json
    const organizationId = organizationOf(json.right)
    if (E.isLeft(organizationId)) return organizationId
    const texts = stampHeadersOf(request)
    if (E.isLeft(texts)) return texts
    if (kind === 'query' && isForActivity(json.right)) return E.left(noQuery)
    const read = stampOf(kind)(texts.right)
    if (E.isLeft(read)) return read
    const { header, text, stamp } = read.right
    const admitted = admit(organizationId.right, stamp)
    if (E.isLeft(admitted)) return admitted
    const callerIn = callerOf(stamp)
    const callerOn =
      (find: Authenticated['callerIn']) =>
      (cell: Cell): E.Either<Failure, Caller> =>
        find(cell.state, cell.timeAt(clock.now()))
    const find = callerOn(callerIn)
    let known: Organization | undefined
    const verified = async (credential: Credential): Promise<E.Either<Failure, Caller>> => {
      const verify = (): Promise<boolean> => verifyStamp(signatures)(stamp, request.body, credential)
      const { scheme } = stamp
      const isValid = await (telemetry === undefined
        ? verify()
        : telemetry.span('countersign.verify', { scheme }, verify, (valid) => (valid ? 'ok' : 'SIGNATURE_INVALID')))
      return isValid ? E.right(credential) : E.left(refusalOf(refusals.invalid, organizationId.right, stamp))
    }
    const { keyIn, refusals } = kindOf(stamp)
    // If the stamp has the key itself, no other state would give its signature another answer. Otherwise its credential may have another key there.
    const hasKey = keyIn(stamp) !== undefined
    const found = await durably(organizations, organizationId.right, async (cell) => {
      const named = find(cell)
      known = cell.state
      return hasKey || E.isLeft(named) ? named : verified(named.right)
    })
    const caller = hasKey && E.isRight(found) ? await verified(found.right) : found
    if (E.isLeft(caller)) return caller
    const credential = caller.right
    const stamped: StampedRequest = { header, stamp: text, body: request.body }
    rememberStamp(stamped, stamp)
    const { address } = request
    const authenticated: Authenticated = {
      organizationId: organizationId.right,
      json: json.right,
      stamped,
      stamp,
      address,
      callerIn: (organization, atMs) =>
        E.flatMap(letIn(organization, address))(E.flatMap(sameAs(credential))(callerIn(organization, atMs))),
    }
    if (known !== undefined && E.isRight(letIn(known, address)(credential))) return E.right(authenticated)
    // A refusal has to rest on durable events, as those above. Without one, each turn judges the address again.
    const again = callerOn(authenticated.callerIn)
    const judged = await durably(organizations, organizationId.right, async (cell) => again(cell))
    return E.map(() => authenticated)(judged)
  }

/** Whether the organization lets in the credential from the address. The refusal says no word of why. */
const letIn =
  (organization: Organization, address: string | null) =>
  (caller: Credential): E.Either<Failure, Credential> =>
    allowsAddress(organization, { publicKey: caller.publicKey, address }) ? E.right(caller) : E.left(notLetIn)
const notLetIn = failure('REQUEST_NOT_AUTHORIZED', 'request not authorized')

/**
 * Whether the credential is the one that was verified. A passkey's name is not its key: somebody may have deleted it meanwhile, and
 * registered another one under the same name.
 */
const sameAs =
  (verified: Credential) =>
  (found: Credential): E.Either<Failure, Credential> =>
    found.publicKey === verified.publicKey ? E.right(found) : E.left(changedMeanwhile)
const changedMeanwhile = failure('CREDENTIAL_NOT_FOUND', 'the credential of the stamp was registered anew; sign again')

/**
 * Computes a value from the present state of the organization. A refusal may rest on events that are not durable yet: it waits until they
 * are durable; if the store refuses them, the value is computed again.
 */
const durably = async <A>(
  organizations: Organizations,
  organizationId: string,
  ask: (cell: Cell) => Promise<E.Either<Failure, A>>,
): Promise<E.Either<Failure, A>> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const cell = await organizations.load(organizationId)
    if (E.isLeft(cell)) return cell
    const answer = await ask(cell.right)
    if (E.isRight(answer)) return answer
    const confirmed = await organizations.confirm(cell.right)
    if (E.isLeft(confirmed)) return confirmed
    if (confirmed.right) return answer
  }
  return E.left(keptChanging)
}

const ATTEMPTS_MAX = 16
export const keptChanging = failure('CONFLICT', 'the organization kept changing; try again')

const callerOf = (stamp: Stamp): Authenticated['callerIn'] => {
  const find = finderOf(nameOf(stamp))
  const { refusals, accepts } = kindOf(stamp)
  return (organization, atMs) => {
    if (hasEnded(organization)) return E.left(organizationNotFound(organization.organizationId))
    const refused = (why: Failure) => E.left(refusalOf(why, organization.organizationId, stamp))
    const caller = find(organization)
    // Never ORGANIZATION_MISMATCH: that would tell that another organization has this key.
    if (caller === undefined) return refused(refusals.unknown)
    if (isExpired(caller, atMs)) return refused(expired)
    // What the organization accepts may change between the verification and the decision, so it is judged with the caller.
    return accepts(organization, stamp) ? E.right(caller) : refused(refusals.invalid)
  }
}

const expired = failure('API_KEY_EXPIRED', 'expired api key')

/** The refusal, with the organization and the name of the credential. */
const refusalOf = (why: Failure, organizationId: string, stamp: Stamp): Failure => {
  const name = `${kindOf(stamp).refusals.nameIs}=${nameOf(stamp).name}`
  return { ...why, message: `${why.message} organizationId=${organizationId} ${name}` }
}

const noQuery = failure(
  'UNAUTHENTICATED',
  'the body is that of an activity: a stamp on it does not ask a query; send a body without a type',
)

/** The headers that carry a stamp. Each may be sent once: if it came twice, the caller would depend on which one a server reads first. */
export const stampHeadersOf = ({ headers }: Request): E.Either<Failure, StampTexts> => {
  const found = new Map<StampHeader, string>()
  for (const [name, value] of Object.entries(headers)) {
    const header = byLowerCase.get(name.toLowerCase())
    if (header === undefined || value === undefined) continue
    if (typeof value !== 'string' || found.has(header))
      return E.left(failure('REQUEST_INVALID', 'a stamp header was sent more than once'))
    found.set(header, value)
  }
  return E.right(found)
}

const byLowerCase = new Map(STAMP_HEADERS.map((header) => [header.toLowerCase(), header]))
