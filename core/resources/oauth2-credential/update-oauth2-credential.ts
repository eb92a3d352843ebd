import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { findOauth2Credential, given, keepOauth2Credential, Oauth2Credential, reading } from './oauth2-credentials.ts'

const Intent = t.fields({ oauth2CredentialId: t.Uuid, ...given })

export const updateOauth2Credential = operation({
  type: 'ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL',
  path: 'update_oauth2_credential',
  summary: 'Replaces what is kept of a provider of OAuth2.',
  resource: 'AUTH',
  action: 'UPDATE',
  intent: Intent,
  result: t.fields({ oauth2CredentialId: t.string }),
  change: Oauth2Credential,
  wire: reading(Intent),

  execute: (intent, { organization }) => {
    onlyOnTop(organization)
    const { oauth2CredentialId } = findOauth2Credential(intent.oauth2CredentialId, organization)
    return { result: { oauth2CredentialId }, change: intent }
  },

  evolve: keepOauth2Credential,
})
