import { kindOf } from '../definition/operation-names.ts'
import { failure, type Failure } from '../failure.ts'
import { publicTypes } from './public-names.ts'

const BEGINNING = 'organizations begin with `countersign init` or `engine.createOrganization`'

/** The types of the public API that are never offered, each with its reason: what to do instead. */
export const refusedOnPurpose: ReadonlyMap<string, string> = new Map([
  ['ACTIVITY_TYPE_CREATE_ORGANIZATION', BEGINNING],
  ['ACTIVITY_TYPE_CREATE_ORGANIZATION_V2', BEGINNING],
  [
    'ACTIVITY_TYPE_SET_PAYMENT_METHOD',
    'it carries the number of a card, and the log keeps bodies as they came: use ACTIVITY_TYPE_SET_PAYMENT_METHOD_V2 with the id that the ' +
      'payment provider gave',
  ],
])

/** The queries that are never answered: 404. */
export const queriesWithoutAnswer: ReadonlySet<string> = new Set(['get_boot_proof', 'get_latest_boot_proof'])

/** Why a query is never answered; undefined for all others. A proof without an attestation would prove nothing. */
export const refusalOfQuery = (path: string): Failure | undefined =>
  queriesWithoutAnswer.has(path)
    ? failure('RESOURCE_NOT_FOUND', 'there is no boot proof: this server runs in no enclave')
    : undefined

/** The paths of which every type is refused on purpose. The types that share one have one reason. */
const refusedPaths: ReadonlyMap<string, string> = new Map(
  [...refusedOnPurpose].flatMap(([type, reason]) => {
    const kind = kindOf(type)
    const isWhole = [...publicTypes].every((one) => kindOf(one) !== kind || refusedOnPurpose.has(one))
    return isWhole ? [[kind.toLowerCase(), reason]] : []
  }),
)

/**
 * Why a type or a path is never offered; undefined for all others. It is asked before the members of a body are read, so a refusal has
 * nothing of them, and nothing is stored.
 *
 * @param name  a type, or the last segment of a route
 */
export const refusalOnPurpose = (name: string): Failure | undefined => {
  const reason = refusedOnPurpose.get(name) ?? refusedPaths.get(name)
  return reason === undefined ? undefined : failure('UNSUPPORTED', `${name} is refused on purpose: ${reason}`)
}
