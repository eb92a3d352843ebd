/**
 * Does long work in slices, and lets the process do other work between slices. Only one piece of work runs at a time: if several ran
 * together, one slice of each would run before the process does other work.
 *
 * @param slice  does a part, and says whether all is done; it must not throw
 */
export type Slices = (slice: () => boolean) => Promise<void>

/** @param breathe  resolves when the other work that was ready is done */
export const slices = (breathe: () => Promise<void>): Slices => {
  let last = Promise.resolve()
  return (slice) => {
    const work = async (): Promise<void> => {
      while (!slice()) await breathe()
    }
    const done = last.then(work)
    last = done.then(breathe)
    return done
  }
}
