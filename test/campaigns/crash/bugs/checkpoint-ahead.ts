import type { Storage } from '../../../../core/ports/storage.ts'
import { E } from '../../../../core/prelude.ts'

const BETWEEN_MS = 5

/** Moves a projection's checkpoint first, and writes its rows after that. */
export const withCheckpointAhead = ({ store, readModels }: Storage): Storage => ({
  store,
  readModels: {
    ...readModels,
    move: (projection, from, to, changes) => async () => {
      const moved = await readModels.move(projection, from, to, [])()
      if (E.isLeft(moved)) return moved
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
      return readModels.move(projection, to, to, changes)()
    },
  },
})
