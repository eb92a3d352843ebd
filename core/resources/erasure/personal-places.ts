import { PersonalRow } from '../../activity/erasure.ts'
import { anyEvent, projection, type Projection } from '../../definition/projection.ts'
import type { Event } from '../../log/event.ts'
import { personOf } from '../../log/personal-part.ts'
import { REQUEST } from '../../log/parts.ts'
import type { RowChange } from '../../ports/read-models.ts'
import type { Json } from '../../failure.ts'

/** A projection with one row for each event and person. It reads no parts: the lines say whose data is where. */
export const personalPlaces: Projection<PersonalRow> = {
  ...projection({
    name: 'personal-places',
    version: 1,
    row: PersonalRow,
    on: [
      anyEvent((event, { organization, activityId, sequence }) =>
        [...personsIn(event)].map(([person, found]): RowChange => ({
          _tag: 'put',
          organization,
          key: `${sequence} ${person}`,
          order: sequence,
          facets: { first: person },
          value: PersonalRow.encode({ sequence: String(sequence), activity: activityId, ...found }) as Json, // codecs of rows give JSON
        })),
      ),
    ],
  }),
  parts: false,
}

type Found = Omit<PersonalRow, 'sequence' | 'activity'>

const personsIn = (event: Event): ReadonlyMap<string, Found> => {
  const persons = new Map<string, Found>()
  const note = (person: string, found: Found): void => void persons.set(person, { ...persons.get(person), ...found })
  if (event.type === 'ActivityCreated') noteRequest(event, event.data.requester, note)
  if (event.type === 'ActivityVoted') noteRequest(event, event.data.user, note)
  for (const name of Object.keys(event.parts)) {
    const person = personOf(name)
    if (person !== undefined) note(person, { part: true })
  }
  return persons
}

const noteRequest = (
  { data, parts }: Extract<Event, { readonly type: 'ActivityCreated' | 'ActivityVoted' }>,
  maker: string,
  note: (person: string, found: Found) => void,
): void => {
  if (!Object.hasOwn(parts, REQUEST)) return
  note(maker, { request: 'MADE' })
  for (const person of data.subjects ?? []) note(person, { request: 'NAMING' })
}
