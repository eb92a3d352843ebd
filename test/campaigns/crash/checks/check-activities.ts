import { LINES, type Recorded } from '../../../../core/ports/event-store.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { right } from '../found.ts'

const PAGE = 1_000
const AT_ONCE = 16

/** A store that finds the events of an activity by an index finds those that the log has. */
export const checkActivities = async ({ store }: Storage): Promise<readonly string[]> => {
  const logged = new Map<string, Recorded[]>()
  for (let after = 0n; ;) {
    const page: readonly Recorded[] = right(await store.readAll(after, PAGE, LINES)())
    for (const event of page) logged.set(event.activity, [...(logged.get(event.activity) ?? []), event])
    const last = page.at(-1)
    if (last === undefined) break
    after = last.position
  }
  const violations: string[] = []
  const left = [...logged]
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [activity, events] = next
      const found = right(await store.readActivity(events[0]?.organization ?? '', activity, LINES)())
      const [kept, told] = [events, found].map((all) => all.map(({ sequence }) => sequence).join(', '))
      if (kept !== told) violations.push(`activity ${activity} has the events ${kept}, and is read with ${told}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return violations
}
