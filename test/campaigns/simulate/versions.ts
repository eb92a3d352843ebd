import { mapOf } from '../../../core/codec/map-of.ts'
import { resource, type Resource } from '../../../core/definition/resource.ts'
import { json, type Event } from '../../../core/log/event.ts'
import { state } from '../../../core/organization/state.ts'
import { activityRowsResource } from '../../core/world/activity-rows.ts'
import { withHost } from '../../core/world/with-host.ts'
import type { EffectsOutside, Performer } from './effects-outside.ts'
import { listSteps, stepsOf } from './steps.ts'

/** The two versions of the software that run at once during a rolling upgrade. */
export const VERSIONS = ['old', 'new'] as const
export type Version = (typeof VERSIONS)[number]

/** A state that the old version does not know. */
const laterState = state({ name: 'later', version: 1, codec: mapOf(json), initial: () => new Map() })

/** What a process runs. The old version cannot take some steps while it is poisoned. */
export const resourcesOf = (
  version: Version,
  performer: Performer,
  effects: EffectsOutside,
  isPoisoned: () => boolean,
): readonly Resource[] => {
  const isPoison = (event: Event): boolean =>
    version === 'old' && isPoisoned() && event.sequence > 2n && /[01]$/.test(event.id)
  return [
    ...withHost(effects.operationsOf(performer), [listSteps], [stepsOf(isPoison)]),
    activityRowsResource,
    ...(version === 'new' ? [resource({ name: 'later', states: [laterState] })] : []),
  ]
}
