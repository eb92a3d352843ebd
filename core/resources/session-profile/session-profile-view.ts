import * as t from '../../codec/t.ts'
import type { QueryContext } from '../../definition/query.ts'
import type { Organization } from '../../organization/state.ts'
import { shownTimes, withTimes } from '../records.ts'
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
type ProfileViews = ReadonlyMap<string, SessionProfileView>

/** The session profiles that count in an organization, by id, as the wire shows them: its own, or those of its parent. */
export const profilesFor = async ({ onTop }: Pick<QueryContext, 'onTop'>): Promise<ProfileViews> =>
  (await onTop(profilesIn)) ?? new Map<string, SessionProfileView>()

const profilesIn = (organization: Organization): ProfileViews =>
  new Map([...sessionProfiles.of(organization)].map(([id, profile]) => [id, withTimes(profile)]))
