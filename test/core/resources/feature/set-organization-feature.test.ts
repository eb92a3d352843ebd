import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FeatureName, features } from '../../../../core/organization/features.ts'
import {
  setOrganizationFeature,
  VALUE_LENGTH_MAX,
} from '../../../../core/resources/feature/set-organization-feature.ts'
import { anyOrganization, fieldsOf } from '../execute.ts'

const it = suite('set organization feature')

const ORIGINS = 'https://app.example.com,http://localhost:3000'
const [WEBHOOK, WEBAUTHN] = ['FEATURE_NAME_WEBHOOK', 'FEATURE_NAME_WEBAUTHN_ORIGINS']
const refuse = (parameters: { readonly [member: string]: string | number }) =>
  anyOrganization().refuse(setOrganizationFeature, parameters)

it('sets every feature that has a name, and answers all that are set', () => {
  const tried = anyOrganization()
  const names = Object.keys(FeatureName.keys)
  assert.is(names.length, 11)
  const all = names.map((name) => ({ name, value: name === WEBAUTHN ? ORIGINS : `of ${name}` }))
  for (const [n, feature] of all.entries()) {
    const { result, change } = tried.execute(setOrganizationFeature, feature)
    assert.equal([result, change], [{ features: all.slice(0, n + 1) }, feature])
  }
  assert.equal([...features.of(tried.state)], all.map(({ name, value }) => [name, value])) // prettier-ignore
  assert.equal(features.of(tried.replayed()), features.of(tried.state))
})

it('gives a feature that is set another value, in its place', () => {
  const tried = anyOrganization()
  tried.execute(setOrganizationFeature, { name: WEBHOOK, value: 'https://a.example' })
  tried.execute(setOrganizationFeature, { name: WEBAUTHN, value: ORIGINS })
  const { result } = tried.execute(setOrganizationFeature, { name: WEBHOOK, value: 'https://b.example' })
  const expected = [
    { name: WEBHOOK, value: 'https://b.example' },
    { name: WEBAUTHN, value: ORIGINS },
  ]
  assert.equal(result, { features: expected })
  assert.equal([...features.of(tried.state)], expected.map(({ name, value }) => [name, value])) // prettier-ignore
})

it('takes a missing value for the empty text, and says so in the echo', () => {
  for (const given of [{}, { value: null }, { value: '' }]) {
    const { echo, result } = anyOrganization().execute(setOrganizationFeature, { name: WEBHOOK, ...given })
    assert.equal(echo, { name: WEBHOOK, value: '' })
    assert.equal(result, { features: [{ name: WEBHOOK, value: '' }] })
  }
})

it('refuses origins of passkeys that are no list of exact origins', () => {
  for (const value of ['', '*', 'app.example.com', 'https://app.example.com/', `${ORIGINS}, https://b.example`]) {
    const failure = refuse({ name: WEBAUTHN, value })
    assert.equal(fieldsOf(failure), ['value'])
    assert.match(failure.message, 'invalid parameters at value: expected exact origins such as')
  }
  assert.equal(fieldsOf(refuse({ name: WEBAUTHN })), ['value'])
})

it('refuses a name that no feature has, and a value that is too long', () => {
  assert.equal(fieldsOf(refuse({ name: 'WEBHOOK', value: '' })), ['name'])
  assert.equal(fieldsOf(refuse({ name: WEBHOOK, value: 7 })), ['value'])
  assert.equal(fieldsOf(refuse({ name: WEBHOOK, value: '\ud800' })), ['value'])
  assert.equal(fieldsOf(refuse({ name: WEBHOOK, value: 'v'.repeat(VALUE_LENGTH_MAX + 1) })), ['value'])
  anyOrganization().execute(setOrganizationFeature, { name: WEBHOOK, value: 'v'.repeat(VALUE_LENGTH_MAX) })
})

it('is for the root quorum alone: no policy has a name for it', () =>
  assert.equal([setOrganizationFeature.resource, setOrganizationFeature.action], [undefined, undefined]))

it.run()
