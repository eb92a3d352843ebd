import * as t from 'io-ts'
import { statusAfter } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import type { Event } from '../log/event.ts'
import { fields } from '../operations/fields.ts'
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

/** The activity that a row of `unfinished` is about. */
export const UnfinishedRow = fields({ organization: t.string, activity: t.string })
export type UnfinishedRow = t.TypeOf<typeof UnfinishedRow>

/**
 * Activities whose effects outside were started and have not concluded: what a new start takes up. Version 1 had keys
 * without the organization: two organizations whose logs use the same id took each other's row away.
 */
export const unfinished = projection({
  name: 'unfinished-effects',
  version: 2,
  project: (event, position): readonly RowChange[] => {
    const { organization, activity } = event
    switch (event.type) {
      case 'ActivityStarted':
        return [
          {
            _tag: 'put',
            organization: EVERYWHERE,
            key: keyOf(event),
            order: position,
            facets: {},
            value: { organization, activity } satisfies UnfinishedRow,
          },
        ]
      case 'ActivityCompleted':
      case 'ActivityFailed':
        // Most activities never had a row: only a later commit than the one that created them can conclude an effect.
        return event.revision > 2n ? [{ _tag: 'delete', organization: EVERYWHERE, key: keyOf(event) }] : []
      default:
        return []
    }
  },
})

const keyOf = ({ organization, activity }: Event): ActivityKey =>
  activityKey({ organizationId: organization, activityId: activity })
