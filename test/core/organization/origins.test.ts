import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOrigin, originOf, originsIn } from '../../../core/organization/origins.ts'

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

it('are brought into the form of browsers', () => {
  for (const origin of ORIGINS) assert.is(originOf(origin), origin)
  for (const [text, origin] of [
    ['HTTPS://App.Example.COM', 'https://app.example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['HTTP://Example.com:80/', 'http://example.com'],
    ['https://example.com:80', 'https://example.com:80'],
    ['http://[::1]:80/', 'http://[::1]'],
    ['https://[2001:DB8::1]', 'https://[2001:db8::1]'],
    [`https://${'a.'.repeat(125)}abc:65535/`, `https://${'a.'.repeat(125)}abc:65535`],
  ] as const) {
    assert.is(originOf(text), origin, text)
    assert.is(new URL(text).origin, origin)
  }
})

it('are not made of what is none, or has more than one meaning', () => {
  for (const text of [
    '',
    '*',
    'null',
    'https://*.example.com',
    'https://example.com//',
    'https://example.com/a',
    'https://example.com/?',
    'https://example.com:0443',
    'https://example.com:443:443',
    'https://example.com:',
    'https://a@example.com',
    'https://exam\u212Ale.com', // the small form of the sign for kelvin is a k
    'https://bücher.example',
    ' https://example.com',
    'https://example.com\n',
    'https:///example.com',
    'https:example.com',
    'ftp://example.com',
    'capacitor://localhost',
    `https://example.com${'/'.repeat(100_000)}`,
    `https://${':1'.repeat(100_000)}`,
  ])
    assert.is(originOf(text), undefined, text.slice(0, 80))
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
