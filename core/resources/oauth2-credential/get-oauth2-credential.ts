import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { shown } from '../records.ts'
import { Oauth2CredentialView } from './oauth2-credential-view.ts'
import { findOauth2Credential } from './oauth2-credentials.ts'

export const getOauth2Credential = query({
  path: 'get_oauth2_credential',
  summary: 'Shows what is kept of a provider of OAuth2.',
  request: t.fields({ organizationId: t.Uuid, oauth2CredentialId: t.Uuid }),
  answer: t.fields({ oauth2Credential: Oauth2CredentialView }),
  run: ({ oauth2CredentialId }, { organization }) => ({
    oauth2Credential: shown(organization)(findOauth2Credential(oauth2CredentialId, organization)),
  }),
})
