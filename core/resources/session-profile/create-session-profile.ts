import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { ExpirationSeconds } from '../api-key/api-key-params.ts'
import { checkQuota } from '../check-quota.ts'
import { checkCondition } from '../checked-condition.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { sessionProfileLimits } from './session-profile-limits.ts'
import { keepSessionProfile, SessionProfile, sessionProfiles } from './session-profiles.ts'

/** A profile never changes, because sessions rely on it. */
export const createSessionProfile = operation({
  type: 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
  path: 'create_session_profile',
  summary: 'Creates a profile of sessions: what they may do, and how long they last.',
  resource: 'SESSION_PROFILE',
  action: 'CREATE',
  intent: t.fields(
    { sessionProfileName: t.Label, scope: t.TextOrEmpty },
    { expirationSeconds: ExpirationSeconds, notes: t.TextOrEmpty },
  ),
  result: t.fields({ sessionProfileId: t.string }),
  change: SessionProfile,

  execute: (intent, context) => {
    const { organization, ids, language } = context
    onlyOnTop(organization)
    const { sessionProfiles: most } = sessionProfileLimits.of(context)
    checkQuota(sessionProfiles.of(organization).size + 1, most, 'session profiles')
    // Its name is the type of its sessions.
    if (/^SESSION_TYPE_/i.test(intent.sessionProfileName))
      throw refuse.field('sessionProfileName', 'a name that is no type of sessions')
    checkCondition('scope', intent.scope, language)
    const sessionProfileId = ids()
    return { result: { sessionProfileId }, change: { ...intent, sessionProfileId, notes: intent.notes || undefined } }
  },

  evolve: keepSessionProfile,
})
