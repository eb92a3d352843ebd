import { resource } from '../../definition/resource.ts'
import { createSessionProfile } from './create-session-profile.ts'
import { getSessionProfile } from './get-session-profile.ts'
import { getSessionProfiles } from './get-session-profiles.ts'
import { sessionProfileLimits } from './session-profile-limits.ts'
import { sessionProfiles } from './session-profiles.ts'

export { createSessionProfile, getSessionProfile, getSessionProfiles, sessionProfiles }

export const sessionProfileResource = resource({
  name: 'session-profiles',
  states: [sessionProfiles],
  limits: sessionProfileLimits,
  operations: [createSessionProfile],
  queries: [getSessionProfile, getSessionProfiles],
})
