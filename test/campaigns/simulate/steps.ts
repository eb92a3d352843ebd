import * as t from 'io-ts'
import { fields } from '../../../core/codec/fields.ts'
import { anyEvent, projection, type Projection } from '../../../core/definition/projection.ts'
import { query, type Query } from '../../../core/definition/query.ts'
import type { Event } from '../../../core/log/event.ts'
import { TE } from '../../../core/prelude.ts'

/** A row for each event, so that the rows show in which order events were taken, and whether all of them were. */
export const stepsOf = (isPoison: (event: Event) => boolean): Projection =>
  projection({
    name: 'steps',
    version: 1,
    on: [
      anyEvent((event, { organization, sequence, position }) => {
        if (isPoison(event)) throw new Error('a step that this version cannot take')
        const value = { sequence: String(sequence), position: String(position) }
        return [{ _tag: 'put', organization, key: event.id, order: sequence, facets: {}, value }]
      }),
    ],
  })

/** The projection as it should be. */
export const steps: Projection = stepsOf(() => false)

const Step = fields({ sequence: t.string, position: t.string })

/** All rows of an organization, in order. */
export const listSteps: Query = query({
  path: 'list_steps',
  summary: 'Lists the steps of the organization.',
  request: t.unknown,
  answer: fields({ steps: t.readonlyArray(Step) }),
  run: (_, { rows }) =>
    TE.map((found: readonly { readonly value: unknown }[]) => ({ steps: found.map(({ value }) => value as Step) }))(
      rows('steps', { limit: 10_000, ascending: true }),
    ),
})

type Step = t.TypeOf<typeof Step>
