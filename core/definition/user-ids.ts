import { ownError } from '../telemetry/tell-thrown.ts'

/**
 * The ids of users, each once.
 *
 * @param given  the value of a host's `subjects`, which may not be compiled with our types
 * @throws TypeError if it is no list of texts
 */
export const userIds = (type: string, given: readonly string[]): readonly string[] => {
  const ids: unknown = given
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
    throw ownError(`subjects of ${type} gave no list of ids of users`)
  return [...new Set(ids)]
}
