import type { Organization } from '../organization/state.ts'
import { isOrganizationId } from '../ports/append-rules.ts'
import { ownError } from '../telemetry/tell-thrown.ts'

/** How many other organizations a turn may read. A change of each of them can make the turn run again. */
export const READS_MAX = 8

/**
 * The organizations that an operation reads besides its own, in the order of their ids, each once. An id that no organization can have
 * is left out: there is nothing to read.
 *
 * @param given  the value of a host's `reads`, which may not be compiled with our types
 * @throws TypeError if it is no list of texts, or names more than `READS_MAX` organizations
 */
export const readIds = (
  type: string,
  { organizationId }: Organization,
  given: readonly string[],
): readonly string[] => {
  const ids: unknown = given
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
    throw ownError(`reads of ${type} gave no list of ids of organizations`)
  const others = [...new Set(ids)].filter((id) => id !== organizationId && isOrganizationId(id)).toSorted()
  if (others.length > READS_MAX)
    throw ownError(`reads of ${type} gave ${others.length} organizations; expected at most ${READS_MAX}`)
  return others
}
