import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { findOauth2Credential, given, keepOauth2Credential, Oauth2Credential } from './oauth2-credentials.ts'

export const updateOauth2Credential = operation({
  type: 'ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL',
  path: 'update_oauth2_credential',
  summary: 'Replaces what is kept of a provider of OAuth2.',
  resource: 'AUTH',
  action: 'UPDATE',
  intent: t.fields({ oauth2CredentialId: t.Uuid, ...given }),
  result: t.fields({ oauth2CredentialId: t.string }),
  change: Oauth2Credential,

  execute: (intent, { organization }) => {
    onlyOnTop(organization)
    const { oauth2CredentialId } = findOauth2Credential(intent.oauth2CredentialId, organization)
    return { result: { oauth2CredentialId }, change: intent }
  },

  evolve: keepOauth2Credential,
})
