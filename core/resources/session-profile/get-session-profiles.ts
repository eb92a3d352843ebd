import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { wholeList } from '../whole-list.ts'
import { profilesFor, SessionProfileView } from './session-profile-view.ts'

export const getSessionProfiles = query({
  path: 'get_session_profiles',
  summary: 'Lists the session profiles; in a sub-organization, those of its parent.',
  request: InOrganization,
  answer: t.fields({ sessionProfiles: t.readonlyArray(SessionProfileView) }),
  run: async (_, context) => wholeList('sessionProfiles', await profilesFor(context), (profile) => profile),
})
