import { failure, fieldViolations, type Failure } from '../failure.ts'
import type { Organization } from '../organization/state.ts'
import { E } from '../prelude.ts'

/** Finds a thing by id, or refuses an intent that names a thing which the organization does not have. */
export const find = <A>(
  what: string,
  among: ReadonlyMap<string, A>,
  id: string,
  organization: Organization,
): E.Either<Failure, A> => {
  const found = among.get(id)
  return found === undefined ? E.left(missing(what, id, organization)) : E.right(found)
}

/** Finds all things, or refuses for the first id that the organization does not have. */
export const findAll = <A>(
  what: string,
  among: ReadonlyMap<string, A>,
  ids: readonly string[],
  organization: Organization,
): E.Either<Failure, readonly A[]> => {
  const found: A[] = []
  for (const id of ids) {
    const one = among.get(id)
    if (one === undefined) return E.left(missing(what, id, organization))
    found.push(one)
  }
  return E.right(found)
}

/** Ids are no secrets: a message may name them. */
export const missing = (what: string, id: string, { organizationId }: Organization): Failure =>
  failure('RESOURCE_NOT_FOUND', `unable to find ${what} ${id} in organization ${organizationId}`)

/** Refuses a second thing with a name or key that must be unique. */
export const notUnique = (field: string, message = `invalid parameters at ${field}: ${MUST_BE_UNIQUE}`): Failure =>
  fieldViolations(message, [{ field, description: MUST_BE_UNIQUE }])

/** Refuses an intent that would make more things than the organization may have. */
export const overQuota = (countMax: number, what: string): Failure =>
  failure(
    'RESOURCE_EXHAUSTED',
    `this organization cannot execute activities because it is over its allotted quota: at most ${countMax} ${what}`,
  )

/** Fails where there would be more resources than the organization may have. */
export const checkQuota = (count: number, countMax: number, what: string): E.Either<Failure, void> =>
  count <= countMax ? E.right(undefined) : E.left(overQuota(countMax, what))

/** Refuses a part of the public API that this version does not offer. */
export const unsupported = (what: string): Failure => failure('UNSUPPORTED', `${what} are not supported`)

const MUST_BE_UNIQUE = 'This field must be unique.'
