import type { Commit } from './event-store.ts'

/** A group of calls is bounded, so that the first of its callers does not wait for all others. */
const GROUP_BYTES_MAX = 8 * 1024 * 1024
const GROUP_EVENTS_MAX = 4096

/**
 * How many of the first jobs are appends that fit into one group, for stores that write those together that wait; at least one.
 *
 * @param commitsOf  the commits of a job; `undefined` if it is no append, and so ends the group
 */
export const groupSize = <A>(jobs: readonly A[], commitsOf: (job: A) => readonly Commit[] | undefined): number => {
  let [bytes, events] = [0, 0]
  const end = jobs.findIndex((job, i) => {
    const commits = commitsOf(job)
    if (commits === undefined) return true
    for (const commit of commits)
      for (const { line, parts } of commit.events) {
        events++
        bytes += parts.reduce((sum, part) => sum + part.bytes.length, line.length)
      }
    return i > 0 && (bytes > GROUP_BYTES_MAX || events > GROUP_EVENTS_MAX)
  })
  return end < 0 ? jobs.length : end
}
