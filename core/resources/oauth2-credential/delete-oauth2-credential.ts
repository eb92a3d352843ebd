import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { findOauth2Credential, oauth2Credentials } from './oauth2-credentials.ts'

const Deleted = t.fields({ oauth2CredentialId: t.string })

export const deleteOauth2Credential = operation({
  type: 'ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL',
  path: 'delete_oauth2_credential',
  summary: 'Deletes what is kept of a provider of OAuth2.',
  resource: 'AUTH',
  action: 'DELETE',
  intent: t.fields({ oauth2CredentialId: t.Uuid }),
  result: Deleted,
  change: Deleted,

  execute: (intent, { organization }) => {
    onlyOnTop(organization)
    const { oauth2CredentialId } = findOauth2Credential(intent.oauth2CredentialId, organization)
    return { result: { oauth2CredentialId }, change: { oauth2CredentialId } }
  },

  evolve: (draft, { oauth2CredentialId }) => {
    oauth2Credentials.in(draft).delete(oauth2CredentialId)
  },
})
