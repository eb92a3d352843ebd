import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { SentCode } from '../otp/send-code.ts'
import { evolveIssued, IssuedKey, issueKey, nameAt, sessionSeconds } from '../session/issued-keys.ts'
import { formsWith, isMailed, mailCredential, mailsCredential, NEEDED, toMail, usersNamed } from './mail-credential.ts'

const { older, newer } = formsWith({ apiKeyName: t.Label, invalidateExisting: t.boolean })
type Intent = t.TypeOf<typeof older>

const resultName = 'emailAuthResult'

export const emailAuth = operation({
  type: 'ACTIVITY_TYPE_EMAIL_AUTH_V3',
  path: 'email_auth',
  summary: 'Mails a key to a user, encrypted to the key of a client.',
  resource: 'AUTH',
  action: 'CREATE',
  resultName,
  intent: older,
  result: t.fields({ userId: t.string, apiKeyId: t.string }),
  change: t.fields({ issued: IssuedKey, sent: SentCode }),
  wire: decodes(newer, (intent): Intent => intent),
  versions: [
    { type: 'ACTIVITY_TYPE_EMAIL_AUTH_V2', resultName, ...decodes(older, (intent): Intent => intent) },
    { type: 'ACTIVITY_TYPE_EMAIL_AUTH', resultName, ...decodes(older, (intent): Intent => intent) },
  ],
  callers: 'own-or-parent',
  subjects: (intent, _ids, _activityId, organization) => usersNamed(intent, organization),

  check: (intent, context) => toMail(intent, 'FEATURE_NAME_EMAIL_AUTH', context),

  perform: { ...mailsCredential, run: (toSend, context) => mailCredential(toSend, 'credential', context) },
  needsFor: () => NEEDED,
  verify: async (performed, _, checked) => isMailed(performed, checked),

  execute: (intent, context) => {
    const { performed, find, atMs } = context
    const { expirationSeconds, invalidateExisting, apiKeyName = nameAt('Email Auth', atMs) } = intent
    const key = {
      issued: 'EMAIL_AUTH_KEY_P256',
      name: apiKeyName,
      publicKey: performed.publicKey,
      seconds: sessionSeconds(expirationSeconds, undefined, context),
      invalidateExisting,
    } as const
    const { userId, sent } = performed
    const issued = issueKey(find('user', users, userId), key, context)
    return { result: { userId, apiKeyId: issued.apiKey.apiKeyId }, change: { issued, sent } }
  },

  evolve: (draft, { issued }, context) => evolveIssued(draft, issued, context),
})
