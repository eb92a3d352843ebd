import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { state, type Organization } from './state.ts'

const Profile = fields(
  { name: t.string, createdAtMs: t.number },
  { endedBy: t.string, endedAt: t.string, parentId: t.string, firstChildAt: t.string },
)

/**
 * The name of an organization, when it was created, and the activity that has ended it, with the sequence of that end; the organization above
 * it; and the sequence at which the creation of one below it was started for the first time.
 */
export const profile = state({
  name: 'organization',
  version: 1,
  codec: Profile,
  initial: (): t.TypeOf<typeof Profile> => ({ name: '', createdAtMs: 0 }),
})

/** The id of the organization above it; `undefined` for one that stands by itself. */
export const parentOf = (organization: Organization): string | undefined => profile.of(organization).parentId
