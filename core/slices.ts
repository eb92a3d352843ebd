/**
 * Does long work in slices, and lets the process do other work between them. One piece of work comes after the other: if
 * many of them shared the time between two breaths, others would wait as long as if nobody breathed.
 *
 * @param slice  does a part, and says whether all is done; it must not throw
 */
export type Slices = (slice: () => boolean) => Promise<void>

/** @param breathe  resolves when the other work that was ready has been done */
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
