import * as t from '../../codec/t.ts'
import type { Organization } from '../../organization/state.ts'
import { shownTimes, timesOf } from '../records.ts'
import { sessionProfiles } from './session-profiles.ts'

/** A session profile as the wire shows it. */
export const SessionProfileView = t.named(
  'SessionProfile',
  t.fields(
    { sessionProfileId: t.Uuid, sessionProfileName: t.string, scope: t.string, ...shownTimes },
    { expirationSeconds: t.string, notes: t.string },
  ),
)
type SessionProfileView = t.TypeOf<typeof SessionProfileView>

/** The session profiles of an organization, by id, as the wire shows them. */
export const profilesIn = (organization: Organization): ReadonlyMap<string, SessionProfileView> =>
  new Map(
    [...sessionProfiles.of(organization)].map(([id, { createdAtMs, updatedAtMs, ...profile }]) => [
      id,
      { ...profile, ...timesOf({ createdAtMs, updatedAtMs }) },
    ]),
  )
