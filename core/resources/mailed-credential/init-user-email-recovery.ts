import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { parentOf } from '../../organization/profile.ts'
import { quorum } from '../../organization/quorum.ts'
import { users } from '../../organization/users.ts'
import { needsFeature } from '../otp/contact-features.ts'
import { SentCode } from '../otp/send-code.ts'
import { evolveIssued, IssuedKey, issueKey, nameAt, sessionSeconds } from '../session/issued-keys.ts'
import { formsWith, isMailed, mailCredential, mailsCredential, NEEDED, toMail, usersNamed } from './mail-credential.ts'

const { older, newer } = formsWith({})
type Intent = t.TypeOf<typeof older>

const resultName = 'initUserEmailRecoveryResult'

export const initUserEmailRecovery = operation({
  type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
  path: 'init_user_email_recovery',
  summary: 'Mails a key to a user that registers a passkey, encrypted to the key of a client.',
  resource: 'RECOVERY',
  action: 'CREATE',
  resultName,
  intent: older,
  result: t.fields({ userId: t.string }),
  change: t.fields({ issued: IssuedKey, sent: SentCode }),
  wire: decodes(newer, (intent): Intent => intent),
  versions: [
    { type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY', resultName, ...decodes(older, (intent): Intent => intent) },
  ],
  callers: 'own-or-parent',
  subjects: (intent, _ids, _activityId, organization) => usersNamed(intent, organization),

  check: (intent, context) => {
    const { organization } = context
    const toSend = toMail(intent, 'FEATURE_NAME_EMAIL_RECOVERY', context)
    const isRoot = quorum.of(organization).userIds.includes(toSend.userId)
    if (isRoot && parentOf(organization) === undefined)
      needsFeature(organization, 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY')
    return toSend
  },

  perform: { ...mailsCredential, run: (toSend, context) => mailCredential(toSend, 'recovery', context) },
  needsFor: () => NEEDED,
  verify: async (performed, _, checked) => isMailed(performed, checked),

  execute: ({ expirationSeconds }, context) => {
    const { performed, find, atMs } = context
    const { userId, publicKey, sent } = performed
    const key = {
      issued: 'RECOVER_USER_KEY_P256',
      name: nameAt('Email Recovery', atMs),
      publicKey,
      seconds: sessionSeconds(expirationSeconds, undefined, context),
      invalidateExisting: true, // the mail before is worth nothing any more
    } as const
    return { result: { userId }, change: { issued: issueKey(find('user', users, userId), key, context), sent } }
  },

  evolve: (draft, { issued }, context) => evolveIssued(draft, issued, context),
})
