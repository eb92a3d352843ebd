import * as t from '../../../core/codec/t.ts'
import { anyEvent, projection, type Projection } from '../../../core/definition/projection.ts'
import { query, type Query } from '../../../core/definition/query.ts'
import type { Event } from '../../../core/log/event.ts'

const Step = t.fields({ sequence: t.string, position: t.string })
type Step = t.TypeOf<typeof Step>

/** A row for each event, so that the rows show in which order events were taken, and whether all of them were. */
export const stepsOf = (isPoison: (event: Event) => boolean): Projection<Step> =>
  projection({
    name: 'steps',
    version: 1,
    row: Step,
    on: [
      anyEvent((event, { organization, sequence, position }) => {
        if (isPoison(event)) throw new Error('a step that this version cannot take')
        const value = { sequence: String(sequence), position: String(position) }
        return [{ _tag: 'put', organization, key: event.id, order: sequence, facets: {}, value }]
      }),
    ],
  })

/** The projection as it should be. */
export const steps: Projection<Step> = stepsOf(() => false)

/** All rows of an organization, in order. */
export const listSteps: Query = query({
  path: 'list_steps',
  summary: 'Lists the steps of the organization.',
  request: t.unknown,
  answer: t.fields({ steps: t.readonlyArray(Step) }),
  run: async (_, { rows }) => ({ steps: await rows(steps, { limit: 10_000, ascending: true }) }),
})
