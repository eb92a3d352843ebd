import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { checkQuota } from '../check-quota.ts'
import { oauth2CredentialLimits } from './oauth2-credential-limits.ts'
import { given, keepOauth2Credential, Oauth2Credential, oauth2Credentials, reading } from './oauth2-credentials.ts'

const Intent = t.fields(given)

export const createOauth2Credential = operation({
  type: 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL',
  path: 'create_oauth2_credential',
  summary: 'Keeps the id and the encrypted secret that a provider of OAuth2 gave to the organization.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: Intent,
  result: t.fields({ oauth2CredentialId: t.string }),
  change: Oauth2Credential,
  wire: reading(Intent),

  execute: (intent, context) => {
    const { organization, ids } = context
    onlyOnTop(organization)
    const { oauth2Credentials: most } = oauth2CredentialLimits.of(context)
    checkQuota(oauth2Credentials.of(organization).size + 1, most, 'OAuth2 credentials')
    const oauth2CredentialId = ids()
    return { result: { oauth2CredentialId }, change: { oauth2CredentialId, ...intent } }
  },

  evolve: keepOauth2Credential,
})
