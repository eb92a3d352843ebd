import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Cell } from './cell.ts'

type Loaded = E.Either<Failure, Cell>

/** Loads organizations. One read serves all who ask while it is under way. */
export type Loads = {
  readonly load: (organizationId: string) => Promise<Loaded>
  /** The read that is under way. */
  readonly underWay: (organizationId: string) => Promise<Loaded> | undefined
}

/** @param known  the organization in memory; `undefined` if it has to be read */
export const loads = (
  known: (organizationId: string) => Loaded | undefined,
  read: (organizationId: string) => Promise<Loaded>,
): Loads => {
  const loading = new Map<string, Promise<Loaded>>()

  const begin = (organizationId: string): Promise<Loaded> => {
    const begun = read(organizationId).finally(() => loading.delete(organizationId))
    loading.set(organizationId, begun)
    return begun
  }

  return {
    load: async (organizationId) => {
      const found = known(organizationId)
      if (found !== undefined) return found
      const before = loading.get(organizationId)
      if (before === undefined) return begin(organizationId)
      const joined = await before
      if (E.isRight(joined) || joined.left.code === 'UNAVAILABLE') return joined
      // That read had begun before this call: what it did not find may be there since. One read more serves all who joined it.
      return known(organizationId) ?? loading.get(organizationId) ?? begin(organizationId)
    },
    underWay: (organizationId) => loading.get(organizationId),
  }
}
