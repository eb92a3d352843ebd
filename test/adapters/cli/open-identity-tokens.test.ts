import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openIdentityTokens } from '../../../adapters/cli/open-identity-tokens.ts'
import { Stop } from '../../../adapters/cli/stop.ts'

const it = suite('the flags of identity tokens')

const isTaken = (oidcIssuer: readonly string[], allowPrivateNetwork = false): boolean => {
  try {
    assert.type(openIdentityTokens({ oidcIssuer, allowPrivateNetwork })['identityTokens'], 'object')
    return true
  } catch (error) {
    assert.ok(error instanceof Stop)
    assert.is(error.exitCode, 2)
    assert.match(error.message, /^--oidc-issuer: expected an https URL/)
    return false
  }
}

it('give what asks any issuer, or those that are named', () => {
  for (const issuers of [[], ['https://accounts.google.com'], ['https://a.test:8443/realm/', 'https://b.test/']])
    assert.ok(isTaken(issuers), issuers.join())
})

it('name issuers that can be asked: by http, and at any port, in development alone', () => {
  const good = 'https://a.test'
  for (const wrong of [
    '',
    'a.test',
    'https://',
    'ftp://a.test',
    'https://u:p@a.test',
    'https://a.test?b',
    'https://a.test#b',
  ])
    for (const allowed of [false, true]) assert.not.ok(isTaken([good, wrong], allowed), wrong)
  for (const url of ['http://a.test', 'http://localhost:3000', 'https://a.test:22']) {
    assert.not.ok(isTaken([url]), url)
    assert.ok(isTaken([url], true), url)
  }
})

it.run()
