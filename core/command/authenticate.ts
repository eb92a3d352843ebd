import { isForActivity, organizationOf } from '../activity/envelope.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { parseStrict, requestJson } from '../json/strict-json.ts'
import type { StampedRequest } from '../log/request-part.ts'
import { isExpired, ownerOf, type KeyOwner, type Organization } from '../organization/organization.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { Request } from '../request.ts'
import { stampOf, verifyStamp, type Stamp } from '../stamp/stamp.ts'
import type { Cell } from './cell.ts'
import type { Organizations } from './organizations.ts'
import { rememberStamp } from './read-stamp.ts'

/** Who asks, as of one state of the organization. */
export type Caller = KeyOwner

/** A request whose signature was verified over its raw bytes. */
export type Authenticated = {
  readonly organizationId: string
  readonly json: Json
  readonly stamped: StampedRequest
  readonly stamp: Stamp
  readonly address: string | null
  /** Whose credential this is in the state of now: it may have been deleted, or have expired, since it was verified. */
  readonly callerIn: (organization: Organization, atMs: number) => E.Either<Failure, Caller>
}

type Ports = {
  readonly organizations: Organizations
  readonly signatures: Signatures
  readonly clock: Clock
  readonly telemetry: Telemetry | undefined
}

/**
 * The refusals that come before anything else, in the order of the wire: body, organization id, stamp present, stamp
 * read, organization, credential, expiry, signature over the raw bytes. The stamp of an activity is none of a query.
 */
export const authenticate =
  ({ organizations, signatures, clock, telemetry }: Ports, kind: 'submit' | 'query') =>
  async (request: Request): Promise<E.Either<Failure, Authenticated>> => {
    const json = parseStrict(request.body, requestJson)
    if (E.isLeft(json)) return json
    const organizationId = organizationOf(json.right)
    if (E.isLeft(organizationId)) return organizationId
    const header = stampHeadersOf(request)
    if (E.isLeft(header)) return header
    if (kind === 'query' && isForActivity(json.right)) return E.left(noQuery)
    const stamp = stampOf(kind)(header.right)
    if (E.isLeft(stamp)) return stamp
    const callerIn = callerOf(stamp.right)
    const caller = await durably(organizations, organizationId.right, (cell) =>
      callerIn(cell.state, cell.timeAt(clock.now())),
    )
    if (E.isLeft(caller)) return caller
    const { curve } = caller.right.apiKey
    const verify = (): Promise<boolean> => verifyStamp(signatures)(stamp.right, request.body, curve)
    const isValid = await (telemetry === undefined
      ? verify()
      : telemetry.span('countersign.verify', { curve }, verify, (valid) => (valid ? 'ok' : 'SIGNATURE_INVALID')))
    if (!isValid) return E.left(invalidSignature(organizationId.right, stamp.right))
    const stamped: StampedRequest = { header: 'X-Stamp', stamp: header.right.stamp ?? '', body: request.body }
    rememberStamp(stamped, stamp.right)
    return E.right({
      organizationId: organizationId.right,
      json: json.right,
      stamped,
      stamp: stamp.right,
      address: request.address,
      callerIn,
    })
  }

/**
 * Asks a question of the organization as it is now. A refusal may rest on what is not durable yet: it is told only when
 * that has become durable, and asked anew where it never does.
 */
const durably = async <A>(
  organizations: Organizations,
  organizationId: string,
  ask: (cell: Cell) => E.Either<Failure, A>,
): Promise<E.Either<Failure, A>> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const cell = await organizations.load(organizationId)
    if (E.isLeft(cell)) return cell
    const answer = ask(cell.right)
    if (E.isRight(answer)) return answer
    const confirmed = await organizations.confirm(cell.right)
    if (E.isLeft(confirmed)) return confirmed
    if (confirmed.right) return answer
  }
  return E.left(failure('CONFLICT', 'the organization kept changing; try again'))
}

const ATTEMPTS_MAX = 16

const callerOf =
  ({ publicKey }: Stamp) =>
  (organization: Organization, atMs: number): E.Either<Failure, Caller> => {
    const caller = ownerOf(organization, publicKey)
    if (caller === undefined) {
      return E.left(
        failure(
          'PUBLIC_KEY_NOT_FOUND',
          `could not find public key in organization organizationId=${organization.organizationId} publicKey=${publicKey}`,
        ),
      )
    }
    return isExpired(caller.apiKey, atMs)
      ? E.left(
          failure(
            'API_KEY_EXPIRED',
            `expired api key organizationId=${organization.organizationId} publicKey=${publicKey}`,
          ),
        )
      : E.right(caller)
  }

const invalidSignature = (organizationId: string, { publicKey }: Stamp): Failure =>
  failure(
    'SIGNATURE_INVALID',
    `could not verify api key signature organizationId=${organizationId} publicKey=${publicKey}`,
  )

const noQuery = failure(
  'UNAUTHENTICATED',
  'the body is that of an activity: a stamp on it does not ask a query; send a body without a type',
)

/** The texts of the stamp headers. */
export type StampTexts = { readonly stamp?: string; readonly stampWebAuthn?: string; readonly stampAttested?: string }

/** The headers that carry a stamp, each sent once: whose request it is must not depend on which one a server looks at first. */
export const stampHeadersOf = ({ headers }: Request): E.Either<Failure, StampTexts> => {
  const found: { stamp?: string; stampWebAuthn?: string; stampAttested?: string } = {}
  for (const [name, value] of Object.entries(headers)) {
    const member = members[name.toLowerCase()]
    if (member === undefined || value === undefined) continue
    if (typeof value !== 'string' || found[member] !== undefined) {
      return E.left(failure('REQUEST_INVALID', 'a stamp header was sent more than once'))
    }
    found[member] = value
  }
  return E.right(found)
}

const members: { readonly [name: string]: 'stamp' | 'stampWebAuthn' | 'stampAttested' | undefined } = {
  'x-stamp': 'stamp',
  'x-stamp-webauthn': 'stampWebAuthn',
  'x-stamp-attested': 'stampAttested',
}
