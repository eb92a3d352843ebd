import type { Commit, EventStore } from '../../../core/ports/event-store.ts'
import { crashPoint } from '../../../adapters/crash-point.ts'

/**
 * The store with one more point: an organization below another one has begun, and its parent's log has the start and not the end. Stores know
 * nothing of that, so the host has it.
 */
export const withChildPoint = (store: EventStore): EventStore => ({
  ...store,
  append: (commits) => async () => {
    const appended = await store.append(commits)()
    if (appended._tag === 'Right')
      for (const [index, commit] of commits.entries())
        if (beginsBelow(commit) && appended.right[index]?._tag === 'committed') crashPoint('child-begun')
    return appended
  },
})

const beginsBelow = ({ expected, events }: Commit): boolean => {
  if (expected !== 'none') return false
  const { data } = JSON.parse(new TextDecoder().decode(events[0]?.line)) as Begun // of the engine
  return data.decision?.verdict.rule === 'parent'
}

type Begun = { readonly data: { readonly decision?: { readonly verdict: { readonly rule: string } } } }
