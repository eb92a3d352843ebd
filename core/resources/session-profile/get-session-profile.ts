import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { profilesFor, SessionProfileView } from './session-profile-view.ts'

export const getSessionProfile = query({
  path: 'get_session_profile',
  summary: 'Shows a session profile; in a sub-organization, one of its parent.',
  request: t.fields({ organizationId: t.Uuid, sessionProfileId: t.Uuid }),
  answer: t.fields({ sessionProfile: SessionProfileView }),
  run: async ({ sessionProfileId }, context) => ({
    sessionProfile: context.find('session profile', await profilesFor(context), sessionProfileId),
  }),
})
