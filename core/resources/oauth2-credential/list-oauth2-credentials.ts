import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { shown } from '../records.ts'
import { wholeList } from '../whole-list.ts'
import { Oauth2CredentialView } from './oauth2-credential-view.ts'
import { oauth2Credentials } from './oauth2-credentials.ts'

export const listOauth2Credentials = query({
  path: 'list_oauth2_credentials',
  summary: 'Lists what is kept of all providers of OAuth2.',
  request: InOrganization,
  answer: t.fields({ oauth2Credentials: t.readonlyArray(Oauth2CredentialView) }),
  run: (_, { organization }) => wholeList('oauth2Credentials', oauth2Credentials.of(organization), shown(organization)),
})
