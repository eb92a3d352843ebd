import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { features } from '../../../../core/organization/features.ts'
import { allowedOrigins } from '../../../../core/organization/origins.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { updateAllowedOrigins } from '../../../../core/resources/organization/update-allowed-origins.ts'
import { ORIGINS_MAX } from '../../../../core/resources/origins.ts'
import { anyOrganization, fieldsOf } from '../execute.ts'

const it = suite('update allowed origins')

const many = (count: number) => Array.from({ length: count }, (_, n) => `https://app-${n}.example.com`)

it('replaces the list, empties it, and sets the default again', () => {
  const tried = anyOrganization()
  assert.equal(allowedOrigins.of(tried.state).origins, ['*'])
  for (const origins of [many(2), ['http://localhost:3000'], [], ['*'], many(ORIGINS_MAX)]) {
    assert.equal(tried.execute(updateAllowedOrigins, { allowedOrigins: origins }).result, {})
    assert.equal(allowedOrigins.of(tried.state).origins, origins)
  }
  assert.equal(allowedOrigins.of(tried.replayed()), allowedOrigins.of(tried.state))
})

it('leaves the origins of passkeys alone, which only the root quorum sets', () => {
  const tried = anyOrganization()
  const name = 'FEATURE_NAME_WEBAUTHN_ORIGINS'
  tried.execute(setOrganizationFeature, { name, value: 'https://app.example.com' })
  tried.execute(updateAllowedOrigins, { allowedOrigins: ['https://evil.example'] })
  assert.equal([...features.of(tried.state)], [[name, 'https://app.example.com']])
})

it('brings origins into the form of browsers, and keeps each once', () => {
  const tried = anyOrganization()
  const written = ['https://A.example:443/', 'https://a.example', 'http://localhost:3000/']
  tried.execute(updateAllowedOrigins, { allowedOrigins: written })
  assert.equal(allowedOrigins.of(tried.state).origins, ['https://a.example', 'http://localhost:3000'])
})

it('refuses what is no exact origin, * beside others, and too many', () => {
  const refuse = (origins: readonly string[] | null) =>
    fieldsOf(anyOrganization().refuse(updateAllowedOrigins, { allowedOrigins: origins }))
  assert.equal(refuse(['https://a.example', 'https://*.example', 'a.example']), [
    'allowedOrigins.1',
    'allowedOrigins.2',
  ])
  assert.equal(refuse(['https://a.example', '*']), ['allowedOrigins'])
  assert.equal(refuse(many(ORIGINS_MAX + 1)), ['allowedOrigins'])
  assert.equal(refuse(null), ['allowedOrigins'])
})

it.run()
