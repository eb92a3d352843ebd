import { existsSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TE } from '../../../core/prelude.ts'
import { fakeEngine } from './fake-engine.ts'
import { serving } from './transport.ts'

const it = suite('the front page')

const noKeys = () => TE.right([])
const CONSOLE = { path: '/console', type: 'text/html', headers: {}, bytes: new Uint8Array() }
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const pageAt = async (url: string): Promise<string> => {
  const reply = await fetch(url, { headers: { Accept: BROWSER } })
  assert.equal([reply.status, reply.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  return reply.text()
}

for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/htmlx'])
  it(`is JSON for a client that accepts ${accept ?? 'what it gets'}`, () =>
    serving(fakeEngine(), {}, async (url) => {
      const reply = await fetch(`${url}/`, accept === undefined ? {} : { headers: { Accept: accept } })
      assert.is(reply.headers.get('content-type'), 'application/json')
      assert.equal(await reply.json(), {
        service: 'countersign',
        api: '/public/v1',
        keys: '/public/v1/discovery/keys',
        openapi: '/openapi.json',
      })
    }))

for (const accept of [BROWSER, 'text/html', 'application/json;q=0.5, TEXT/HTML;q=1'])
  it(`is a page for a browser, which accepts ${accept}`, () =>
    serving(fakeEngine(), {}, async (url) => {
      const { headers } = await fetch(`${url}/`, { headers: { Accept: accept } })
      assert.is(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.is(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'unsafe-inline'; /)
    }))

it('leads to routes that answer, and names documents that are there', () =>
  serving(
    fakeEngine({ deploymentKeys: noKeys, webhookKeys: noKeys }),
    { basePath: '/a&b', metrics: () => '', files: [CONSOLE] },
    async (url) => {
      const page = await pageAt(`${url}/a&b`)
      const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
      assert.is(links.length, 7)
      for (const link of links) assert.is((await fetch(url + link)).status, 200, link)
      const documents = [...page.matchAll(/docs\/[\w./-]*\.md/g)].map(([path]) => path)
      assert.ok(documents.length > 0)
      for (const path of documents) assert.ok(existsSync(path), path)
    },
  ))

it('names the console where it is served, and nowhere else', async () => {
  await serving(fakeEngine(), { files: [CONSOLE] }, async (url) => {
    const page = await pageAt(`${url}/`)
    assert.match(page, '<a href="/console">')
    assert.match(page, 'which the console does in a browser')
  })
  await serving(fakeEngine(), { files: [{ ...CONSOLE, path: '/other' }] }, async (url) =>
    assert.not.match(await pageAt(`${url}/`), 'console'),
  )
})

it('loads nothing, runs nothing, and repeats nothing of a request', () =>
  serving(fakeEngine(), {}, async (url) => {
    const page = await pageAt(`${url}/`)
    assert.not.match(page, /<script|<link|<img|\bsrc=|url\(|https?:|\son\w+=/i)
    const reply = await fetch(`${url}//?<b>asked</b>`, { headers: { Accept: BROWSER, 'X-Request-Id': 'asked' } })
    assert.is(await reply.text(), page)
  }))

it.run()
