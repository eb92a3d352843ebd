import * as t from '../codec/t.ts'
import { REQUEST } from '../log/parts.ts'
import { personalPart } from '../log/personal-part.ts'

/** The type of the activity that erases the personal data of a user. */
export const ERASE_USER_TYPE = 'ACTIVITY_TYPE_ERASE_USER'

/** Which requests are erased with a user's data: those that hold it, or also those that the user made. */
export type ErasedRequests = 'NAMING' | 'MADE'

/** What an event has of one person; a member that does not hold is left out. */
export const PersonalRow = t.fields(
  { sequence: t.string, activity: t.string },
  {
    /** Whether the event has a part with the person's data. */
    part: t.literal(true),
    /** Whether the request of the event holds data of the person, or was only made by the person. */
    request: t.keyof({ NAMING: null, MADE: null }),
  },
)
export type PersonalRow = t.TypeOf<typeof PersonalRow>

/** The parts of an event that are erased with the data of a person. */
export const partsToErase = (row: PersonalRow, person: string, requests: ErasedRequests): readonly string[] => [
  ...(row.part === true ? [personalPart(person)] : []),
  ...(row.request === 'NAMING' || row.request === requests ? [REQUEST] : []),
]
