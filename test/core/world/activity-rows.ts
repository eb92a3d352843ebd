import * as t from '../../../core/codec/t.ts'
import { statusAfter } from '../../../core/log/standing.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import { resource } from '../../../core/definition/resource.ts'

/** A host's projection that has a row for each activity, with its status and type, as the store's own list has. */
export const activityRows = projection({
  name: 'activity-rows',
  version: 1,
  row: t.fields({ id: t.string, sequence: t.string }),
  on: [
    anyEvent((event, { organization, activityId: key, sequence: order }) => {
      const first = statusAfter(event)
      if (event.type !== 'ActivityCreated') return [{ _tag: 'merge', organization, key, facets: { first }, value: {} }]
      const facets = { first, second: event.data.type }
      return [{ _tag: 'put', organization, key, order, facets, value: { id: key, sequence: String(order) } }]
    }),
  ],
})

export const activityRowsResource = resource({ name: 'activity-rows', projections: [activityRows] })
