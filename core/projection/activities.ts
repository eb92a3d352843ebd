import { statusAfter } from '../activity/activity.ts'
import type { RowChange } from '../ports/read-models.ts'
import { projection } from './projection.ts'

/** The activities of each organization, by status and type: what `list_activities` reads. */
export const activities = projection({
  name: 'activities',
  version: 1,
  project: (event) => {
    const { organization, activity: key } = event
    const first = statusAfter(event)
    if (event.type === 'ActivityCreated') {
      const { type } = event.data
      return [
        {
          _tag: 'put',
          organization,
          key,
          order: event.sequence,
          facets: { first, second: type },
          value: { id: key, sequence: String(event.sequence) },
        },
      ]
    }
    return [{ _tag: 'merge', organization, key, facets: { first }, value: {} }]
  },
})

/** Rows of this projection stand under one name, so that one read finds them for all organizations. */
export const EVERYWHERE = '*'

/** Activities whose effects outside were started and have not concluded: what a new start takes up. */
export const unfinished = projection({
  name: 'unfinished-effects',
  version: 1,
  project: (event, position): readonly RowChange[] => {
    const row = { organization: EVERYWHERE, key: event.activity }
    switch (event.type) {
      case 'ActivityStarted':
        return [{ _tag: 'put', ...row, order: position, facets: {}, value: { organization: event.organization } }]
      case 'ActivityCompleted':
      case 'ActivityFailed':
        // Most activities never had a row: only a later commit than the one that created them can conclude an effect.
        return event.revision > 2n ? [{ _tag: 'delete', ...row }] : []
      default:
        return []
    }
  },
})
