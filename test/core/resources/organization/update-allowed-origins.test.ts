import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { features } from '../../../../core/organization/features.ts'
import { allowedOrigins, ORIGINS_MAX } from '../../../../core/organization/origins.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { updateAllowedOrigins } from '../../../../core/resources/organization/update-allowed-origins.ts'
import { anyOrganization, fieldsOf } from '../execute.ts'

const it = suite('update allowed origins')

const many = (count: number) => Array.from({ length: count }, (_, n) => `https://app-${n}.example.com`)

it('replaces the list, and empties it', () => {
  const tried = anyOrganization()
  for (const origins of [many(2), ['http://localhost:3000'], [], many(ORIGINS_MAX)]) {
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

for (const [given, kept] of [
  [['*'], []],
  [['HTTPS://App.Example.com:443/'], ['https://app.example.com']],
  [['https://a.example', 'https://a.example/'], ['https://a.example']],
] as const)
  it(`keeps origins in the form of browsers, each once, and all as none: ${given.join()}`, () => {
    const tried = anyOrganization()
    tried.execute(updateAllowedOrigins, { allowedOrigins: given })
    assert.equal(allowedOrigins.of(tried.state).origins, kept)
  })

it('refuses what is no exact origin, all beside some, and too many', () => {
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
