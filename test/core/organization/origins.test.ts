import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOrigin, originsIn } from '../../../core/organization/origins.ts'

const it = suite('origins')

const ORIGINS = [
  'https://example.com',
  'https://app.example.com:8443',
  'http://localhost',
  'http://localhost:3000',
  'http://127.0.0.1:65535',
  'https://[::1]:8080',
  'https://xn--bcher-kva.example',
  'http://example.com:443',
  `https://${'a'.repeat(63)}.example`,
]

it('are what a browser writes', () => {
  for (const origin of ORIGINS) {
    assert.ok(isOrigin(origin), origin)
    assert.is(new URL(origin).origin, origin)
  }
})

it('are nothing else, such as other spellings of the same', () => {
  for (const text of [
    '',
    '*',
    'null',
    'example.com',
    'https://',
    'https://example.com/',
    'https://example.com:443',
    'http://example.com:80',
    'https://example.com:0',
    'https://example.com:08443',
    'https://example.com:65536',
    'https://Example.com',
    'HTTPS://example.com',
    'https://*.example.com',
    'https://.example.com',
    'https://example..com',
    'https://-a.example',
    'https://a@example.com',
    'https://bücher.example',
    'https://example.com ',
    'https://example.com\n',
    'ftp://example.com',
    `https://${'a'.repeat(64)}.example`,
    `https://${'a.'.repeat(126)}ab`,
  ])
    assert.not.ok(isOrigin(text), text)
})

it('stand in a list with commas and nothing else between them, each once', () => {
  assert.equal(originsIn('https://a.example,http://localhost:1'), new Set(['https://a.example', 'http://localhost:1']))
  assert.equal(originsIn('https://a.example'), new Set(['https://a.example']))
  for (const text of [
    '',
    ',',
    'https://a.example,',
    'https://a.example, https://b.example',
    'https://a.example;https://b.example',
    'https://a.example,https://a.example',
    'https://a.example,b',
  ])
    assert.is(originsIn(text), undefined, text)
})

it.run()
