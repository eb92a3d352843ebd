import { envelopeOf, typeOf, wantsProofs, type Envelope } from '../activity/envelope.ts'
import { activityIdOf, fingerprintOf } from '../activity/identity.ts'
import { failure, fieldViolations, type Failure } from '../failure.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { Operation, Version } from '../definition/operation.ts'
import { hintFor } from '../options.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'
import { kindOf } from '../definition/operation-names.ts'
import { notOffered, publicOperations, publicQueries, publicTypes } from '../resources/public-names.ts'
import { refusalOfQuery, refusalOnPurpose } from '../resources/refused-on-purpose.ts'
import type { Authenticated } from './authenticate.ts'
import { ballotOf, ballots, isBallotPath, type Ballot } from '../deciding/ballot.ts'

/** A submitted request, as far as it can be read without the organization's state. */
export type Command = {
  readonly path: string
  readonly fingerprint: string
  /** The activity that it is about: the one that it creates, or votes on. */
  readonly activityId: string
  readonly envelope: Envelope
  readonly asks: { readonly _tag: 'vote'; readonly ballot: Ballot } | ({ readonly _tag: 'activity' } & Named)
}

export type Named = { readonly operation: Operation; readonly version: Version }

/** Whether anything can be submitted on this path. */
export const isRoute = (catalogue: Catalogue, path: string): boolean =>
  isBallotPath(path) || catalogue.byPath(path) !== undefined

/** Why nothing can be submitted on a path. */
export const refusalOfRoute = ({ operations }: Catalogue, path: string): Failure => {
  const refused = refusalOnPurpose(path)
  if (refused !== undefined) return refused
  if (publicOperations.has(path)) return notOffered(path)
  const paths = [...operations.map((operation) => operation.path), ...Object.keys(ballots)]
  return failure('ROUTE_NOT_FOUND', `no such operation${hintFor(path, paths)}`)
}

/** Why nothing can be asked on a path. */
export const refusalOfQueryRoute = ({ queries }: Catalogue, path: string): Failure =>
  refusalOfQuery(path) ??
  (publicQueries.has(path)
    ? notOffered(path)
    : failure('ROUTE_NOT_FOUND', `no such query${hintFor(path, queries.keys())}`))

type Reading = {
  readonly digest: Digest
  readonly catalogue: Catalogue
  /** Whether there are keys for app proofs. */
  readonly provesActivities: boolean
}

const noProofs = failure('UNSUPPORTED', 'app proofs are not supported by this server, which has no keystore')

/** Reads a request as the path says: a vote, or an activity of a type that belongs to the path. */
export const commandOf = (
  { digest, catalogue, provesActivities }: Reading,
  path: string,
  request: Authenticated,
): E.Either<Failure, Command> => {
  const refused = refusalOnPurpose(typeOf(request.json))
  if (refused !== undefined) return E.left(refused)
  const envelope = envelopeOf(request.organizationId, request.json)
  if (E.isLeft(envelope)) return envelope
  const proofs = wantsProofs(request.json)
  if (E.isLeft(proofs)) return proofs
  if (proofs.right && !provesActivities) return E.left(noProofs)
  const fingerprint = fingerprintOf(digest, request.stamped.body)
  if (isBallotPath(path)) {
    return E.map((ballot: Ballot): Command => ({
      path,
      fingerprint,
      activityId: ballot.activityId,
      envelope: envelope.right,
      asks: { _tag: 'vote', ballot },
    }))(ballotOf(digest, path, envelope.right))
  }
  const found = catalogue.byType(envelope.right.type)
  if (found === undefined || found.operation.path !== path) return E.left(refusalOfType(path, envelope.right.type))
  return E.right({
    path,
    fingerprint,
    activityId: activityIdOf(digest, request.organizationId, fingerprint),
    envelope: envelope.right,
    asks: { _tag: 'activity', ...found },
  })
}

const refusalOfType = (path: string, type: string): Failure => {
  if (publicTypes.has(type) && kindOf(type) === path.toUpperCase()) return notOffered(type)
  return fieldViolations(`bad request body: type does not belong to ${path}`, [
    { field: 'type', description: `expected the type of a version of ${path}` },
  ])
}
