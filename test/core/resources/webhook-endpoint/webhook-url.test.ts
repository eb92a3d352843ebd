import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isRefusal } from '../../../../core/definition/refuse.ts'
import { admitUrl, URL_LENGTH_MAX } from '../../../../core/resources/webhook-endpoint/webhook-url.ts'
import { vectorFile } from '../../../vectors.ts'

const it = suite('URLs of webhooks')

type Cases = { readonly mustReject: readonly { readonly url: string }[]; readonly mustAllow: readonly string[] }
const cases = vectorFile<Cases>('ssrf-own', 'webhook-url-cases.json')

const isAdmitted = (url: string): boolean => {
  try {
    admitUrl('url', url)
    return true
  } catch (error) {
    assert.ok(isRefusal(error), url)
    return false
  }
}

/** What is registered although nobody may be asked there, because only the look-up can tell. */
const ONLY_BY_LOOK_UP: readonly string[] = []

it('are refused where no public host can be meant, but for names that only the look-up can tell', () => {
  if (cases === undefined) return
  assert.is(cases.mustReject.length, 95)
  const admitted = cases.mustReject.map(({ url }) => url).filter(isAdmitted)
  assert.equal(admitted, ONLY_BY_LOOK_UP)
})

it('are admitted where a public host is meant', () => {
  for (const url of cases?.mustAllow ?? []) assert.ok(isAdmitted(url), url)
  for (const url of [
    'HTTPS://Example.com',
    'https://example.com:8443/a?b#c',
    'https://example.com:443',
    'https://bücher.de/ä',
  ])
    assert.ok(isAdmitted(url), url)
})

it('may be of localhost for development, by http alone', () => {
  for (const url of ['http://localhost', 'http://localhost:3000/hook']) assert.ok(isAdmitted(url), url)
  for (const url of [
    'http://127.0.0.1/',
    'http://localhost./',
    'http://a.localhost/',
    'http://localhost@example.com/',
    'http://u@localhost/',
  ])
    assert.not.ok(isAdmitted(url), url)
})

it('have no characters that a parser takes out', () => {
  for (const character of ['\r', '\n', '\t', ' ', '\0', '\u007f', '\u0085', '\u2028'])
    for (const url of [
      `https://example.com/a${character}b`,
      `https://exam${character}ple.com/`,
      `https://example.com/${character}`,
      `${character}https://example.com/`,
      `https:/${character}/example.com/`,
    ])
      assert.not.ok(isAdmitted(url), JSON.stringify(url))
})

it('are as long as may be, and their names too', () => {
  const long = (length: number) => 'https://example.com/'.padEnd(length, 'a')
  assert.ok(isAdmitted(long(URL_LENGTH_MAX)))
  assert.not.ok(isAdmitted(long(URL_LENGTH_MAX + 1)))
  const name = (labels: number, last: string) => `https://${`${'a'.repeat(62)}.`.repeat(labels)}${last}/`
  assert.ok(isAdmitted(name(4, 'a')))
  assert.not.ok(isAdmitted(name(4, 'ab')))
  assert.ok(isAdmitted(`https://${'a'.repeat(63)}.com/`))
  assert.not.ok(isAdmitted(`https://${'a'.repeat(64)}.com/`))
})

it('are not looked at where an intent has none', () => assert.is(admitUrl('url', undefined), undefined))

it('are refused without being quoted', () => {
  try {
    admitUrl('url', 'https://10.0.0.1/secret')
    assert.unreachable()
  } catch (error) {
    assert.ok(isRefusal(error))
    assert.not.match(JSON.stringify([error, String(error)]), 'secret')
  }
})

it.run()
