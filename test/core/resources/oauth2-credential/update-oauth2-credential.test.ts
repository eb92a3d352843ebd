import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createOauth2Credential } from '../../../../core/resources/oauth2-credential/create-oauth2-credential.ts'
import { deleteOauth2Credential } from '../../../../core/resources/oauth2-credential/delete-oauth2-credential.ts'
import { oauth2Credentials } from '../../../../core/resources/oauth2-credential/oauth2-credentials.ts'
import { updateOauth2Credential } from '../../../../core/resources/oauth2-credential/update-oauth2-credential.ts'
import { anyOrganization, fieldsOf, NOW, uuid } from '../execute.ts'
import { clientSecretOf } from '../bundle/border.ts'

const it = suite('credentials of OAuth2')

const given = (clientId: string) => ({
  provider: 'OAUTH2_PROVIDER_X',
  clientId,
  encryptedClientSecret: clientSecretOf('a'),
})

it('are replaced as a whole, but for the time of their creation, and keep their place', () => {
  const tried = anyOrganization()
  const first = given('one')
  const { oauth2CredentialId } = tried.execute(createOauth2Credential, first).result as Made
  tried.execute(createOauth2Credential, given('other'))
  const second = { ...given('two'), provider: 'OAUTH2_PROVIDER_DISCORD' }
  tried.execute(updateOauth2Credential, { oauth2CredentialId, ...second }, { atMs: NOW + 1 })
  const [kept, other] = oauth2Credentials.of(tried.state).values()
  assert.equal(kept, { oauth2CredentialId, ...second, createdAtMs: NOW, updatedAtMs: NOW + 1 })
  assert.is(other?.clientId, 'other')
})
type Made = { readonly oauth2CredentialId: string }

it('are limited in number, and make room when they are deleted', () => {
  const tried = anyOrganization()
  const { oauth2CredentialId } = tried.execute(createOauth2Credential, given('one')).result as Made
  const limits = { oauth2Credentials: 1 }
  assert.is(tried.refuse(createOauth2Credential, given('two'), { limits }).code, 'RESOURCE_EXHAUSTED')
  tried.execute(deleteOauth2Credential, { oauth2CredentialId })
  tried.execute(createOauth2Credential, given('two'), { limits })
})

it('have a secret in the form of an encrypted one, and a refusal does not repeat it', () => {
  const tried = anyOrganization()
  const secret = clientSecretOf('a')
  const wrong = ['hunter2', 'deadbeef', secret.slice(2), `${secret}00`, secret.replace(/^(.{24})04/, '$102'), '']
  for (const encryptedClientSecret of wrong) {
    const refused = tried.refuse(createOauth2Credential, { ...given('one'), encryptedClientSecret })
    assert.equal(fieldsOf(refused), ['encryptedClientSecret'])
    assert.not(JSON.stringify(refused).includes(encryptedClientSecret || 'hunter2'))
  }
  tried.execute(createOauth2Credential, { ...given('one'), encryptedClientSecret: secret.toUpperCase() })
  const [kept] = oauth2Credentials.of(tried.state).values()
  assert.is(kept?.encryptedClientSecret, secret.toUpperCase())
})

it('of another organization are not found, as those that never were', () => {
  const { code, message } = anyOrganization().refuse(deleteOauth2Credential, { oauth2CredentialId: uuid(77) })
  assert.is(code, 'OAUTH2_CREDENTIAL_NOT_FOUND')
  assert.match(message, new RegExp(`^unable to find OAuth2 credential ${uuid(77)} in organization `))
})

it.run()
