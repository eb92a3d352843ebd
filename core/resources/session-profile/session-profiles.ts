import * as t from '../../codec/t.ts'
import { state } from '../../organization/state.ts'
import { keeps, times } from '../records.ts'

const members = { sessionProfileId: t.string, sessionProfileName: t.string, scope: t.string }
const maybe = { expirationSeconds: t.string, notes: t.string }

/** A session profile in a change. */
export const SessionProfile = t.fields(members, maybe)
type SessionProfile = t.TypeOf<typeof SessionProfile>

/** The profiles, by id, in order of creation. They never change. */
export const sessionProfiles = state({
  name: 'session-profiles',
  version: 1,
  codec: t.mapOf(t.fields({ ...members, ...times }, maybe)),
  initial: () => new Map(),
})

export const keepSessionProfile = keeps<SessionProfile>(sessionProfiles, ({ sessionProfileId }) => sessionProfileId)
