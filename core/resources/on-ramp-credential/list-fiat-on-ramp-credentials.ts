import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { shown, shownMembers } from '../records.ts'
import { wholeList } from '../whole-list.ts'
import { onRampCredentials, OnRampProvider } from './on-ramp-credentials.ts'

/** With its secrets, as encrypted as they came. */
const OnRampCredentialView = t.named(
  'FiatOnRampCredential',
  t.fields(
    {
      fiatOnrampCredentialId: t.Uuid,
      onrampProvider: OnRampProvider,
      publishableApiKey: t.string,
      encryptedSecretApiKey: t.string,
      ...shownMembers,
    },
    { projectId: t.string, encryptedPrivateApiKey: t.string, sandboxMode: t.boolean },
  ),
)

export const listFiatOnRampCredentials = query({
  path: 'list_fiat_on_ramp_credentials',
  summary: 'Lists the keys of all providers that sell for fiat money.',
  request: InOrganization,
  answer: t.fields({ fiatOnRampCredentials: t.readonlyArray(OnRampCredentialView) }),
  run: (_, { organization }) =>
    wholeList('fiatOnRampCredentials', onRampCredentials.of(organization), shown(organization)),
})
