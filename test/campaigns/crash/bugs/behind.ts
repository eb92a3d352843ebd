import type { ReadModels } from '../../../../core/ports/read-models.ts'

/** Work that is done later, in order: what a process loses when it dies before. */
export type Behind = {
  readonly add: (work: () => Promise<unknown>) => void
  /** Resolves when all that was added has been done. */
  readonly done: () => Promise<void>
}

export const behind = (lateMs: number): Behind => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    add: (work) => {
      last = last.then(() => new Promise((resolve) => setTimeout(resolve, lateMs))).then(work)
    },
    done: () => last.then(() => undefined),
  }
}

/** Read models that are written to only when the work that was added before has been done. */
export const readModelsBehind = (readModels: ReadModels, { done }: Behind): ReadModels => ({
  ...readModels,
  move:
    (...move) =>
    () =>
      done().then(readModels.move(...move)),
  saveSnapshot:
    (...saved) =>
    () =>
      done().then(readModels.saveSnapshot(...saved)),
})
