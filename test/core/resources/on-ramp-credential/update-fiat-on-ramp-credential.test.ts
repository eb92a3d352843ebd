import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFiatOnRampCredential } from '../../../../core/resources/on-ramp-credential/create-fiat-on-ramp-credential.ts'
import { onRampCredentials } from '../../../../core/resources/on-ramp-credential/on-ramp-credentials.ts'
import { updateFiatOnRampCredential } from '../../../../core/resources/on-ramp-credential/update-fiat-on-ramp-credential.ts'
import { anyOrganization, fieldsOf, NOW } from '../execute.ts'
import { onRampSecretOf } from './examples.ts'

const it = suite('credentials of fiat on-ramps')

const moonpay = () => ({
  onrampProvider: 'FIAT_ON_RAMP_PROVIDER_MOONPAY',
  publishableApiKey: 'pk_test_1',
  encryptedSecretApiKey: onRampSecretOf('a'),
})
const coinbase = () => ({
  ...moonpay(),
  onrampProvider: 'FIAT_ON_RAMP_PROVIDER_COINBASE',
  projectId: 'a project',
  encryptedPrivateApiKey: onRampSecretOf('a'),
})

it('are replaced as a whole, but for the sandbox and the time of their creation', () => {
  const tried = anyOrganization()
  const { result } = tried.execute(createFiatOnRampCredential, { ...coinbase(), sandboxMode: true })
  const { fiatOnRampCredentialId } = result as { readonly fiatOnRampCredentialId: string }
  const second = { fiatOnrampCredentialId: fiatOnRampCredentialId, ...moonpay() }
  tried.execute(updateFiatOnRampCredential, { ...second, projectId: null }, { atMs: NOW + 1 })
  const [kept] = onRampCredentials.of(tried.state).values()
  assert.equal(kept, { ...second, sandboxMode: true, createdAtMs: NOW, updatedAtMs: NOW + 1 })
})

it('have the project and the private key that Coinbase needs, and no others need', () => {
  const tried = anyOrganization()
  tried.execute(createFiatOnRampCredential, moonpay())
  for (const member of ['projectId', 'encryptedPrivateApiKey']) {
    const refused = tried.refuse(createFiatOnRampCredential, { ...coinbase(), [member]: null })
    assert.equal(fieldsOf(refused), [member])
  }
  const refused = tried.refuse(createFiatOnRampCredential, { ...coinbase(), projectId: '' })
  assert.equal(fieldsOf(refused), ['projectId'])
})

it('have secrets in the form of encrypted ones, and a refusal does not repeat them', () => {
  const tried = anyOrganization()
  for (const encryptedSecretApiKey of ['sk_live_hunter2', 'hunter-2'.repeat(20), `${onRampSecretOf('a')}0`]) {
    const refused = tried.refuse(createFiatOnRampCredential, { ...moonpay(), encryptedSecretApiKey })
    assert.equal(fieldsOf(refused), ['encryptedSecretApiKey'])
    assert.not(JSON.stringify(refused).includes(encryptedSecretApiKey))
  }
})

it('are limited in number', () => {
  const [tried, limits] = [anyOrganization(), { onRampCredentials: 0 }]
  assert.is(tried.refuse(createFiatOnRampCredential, moonpay(), { limits }).code, 'RESOURCE_EXHAUSTED')
})

it.run()
