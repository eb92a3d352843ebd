import * as t from '../../codec/t.ts'
import { state } from '../../organization/state.ts'
import { keeps, times } from '../records.ts'
import { CompactSecret } from '../compact-secret.ts'

export const OnRampProvider = t.keyof({ FIAT_ON_RAMP_PROVIDER_COINBASE: null, FIAT_ON_RAMP_PROVIDER_MOONPAY: null })

/** What a request gives: how the organization sends its users to a provider that sells for fiat money. */
export const given = { onrampProvider: OnRampProvider, publishableApiKey: t.Text, encryptedSecretApiKey: CompactSecret }
export const givenMaybe = { projectId: t.TextOrEmpty, encryptedPrivateApiKey: CompactSecret }

/** What a provider needs besides. */
export const needs = ({ onrampProvider, projectId, encryptedPrivateApiKey }: OfProvider) => {
  if (onrampProvider !== 'FIAT_ON_RAMP_PROVIDER_COINBASE') return undefined
  if (!projectId) return { member: 'projectId', expected: 'a text: Coinbase needs the id of a project' }
  if (!encryptedPrivateApiKey)
    return { member: 'encryptedPrivateApiKey', expected: 'an encrypted secret: Coinbase needs a private key' }
  return undefined
}
type OfProvider = {
  readonly onrampProvider: t.TypeOf<typeof OnRampProvider>
  readonly projectId?: string | undefined
  readonly encryptedPrivateApiKey?: string | undefined
}

const members = {
  fiatOnrampCredentialId: t.string,
  onrampProvider: OnRampProvider,
  publishableApiKey: t.string,
  encryptedSecretApiKey: t.string,
  sandboxMode: t.boolean,
}
const maybe = { projectId: t.string, encryptedPrivateApiKey: t.string }
export const OnRampCredential = t.fields(members, maybe)

/** The credentials of providers that sell for fiat money, by id, in order of creation. */
export const onRampCredentials = state({
  name: 'on-ramp-credentials',
  version: 1,
  codec: t.mapOf(t.fields({ ...members, ...times }, maybe)),
  initial: () => new Map(),
})

export const keepOnRampCredential = keeps<t.TypeOf<typeof OnRampCredential>>(
  onRampCredentials,
  (one) => one.fiatOnrampCredentialId,
)

/** The wire writes the id in another way in results than everywhere else. */
export const OnRampResult = t.fields({ fiatOnRampCredentialId: t.string })
