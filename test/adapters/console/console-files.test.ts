import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { consoleFiles, type StaticFile } from '../../../adapters/console/index.ts'
import { fakeEngine } from '../http/fake-engine.ts'
import { serving } from '../http/transport.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const it = suite('the files of the console')

const files = consoleFiles()
const textOf = ({ bytes }: StaticFile): string => Buffer.from(bytes).toString()
const page = files.find(({ path }) => path === '/console')
const others = files.filter(({ path }) => path !== '/console')
const document = page === undefined ? '' : textOf(page)

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'"

it('are a document that is not kept, is framed by nobody, and loads from its own origin alone', () => {
  assert.is(page?.type, 'text/html; charset=utf-8')
  assert.equal(page?.headers, {
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  })
})

it('are otherwise kept for ever, under the same policy, because a worker has that of its own script', () => {
  assert.is(others.length, 3)
  for (const { path, type, headers } of others) {
    assert.match(path, /^\/console\/(?:main|style|audit-worker)-[0-9A-Z]{8}\.(?:js|css)$/)
    assert.is(type, `text/${path.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`)
    assert.equal(headers, {
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
  }
})

it('come with a document that names files which are there, by relative addresses', () => {
  const named = [...document.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)
  assert.equal(named.length, 3, document)
  for (const address of named.filter((one) => one !== 'data:,')) {
    const { pathname } = new URL(address ?? '', 'https://console.example/behind/console')
    assert.ok(
      others.some(({ path }) => `/behind${path}` === pathname),
      address,
    )
  }
})

it('have a document without scripts and styles in it', () => {
  assert.not.match(document, /<style|\sstyle=|\son\w+=|javascript:|https?:/i)
  for (const [, attributes, content] of document.matchAll(/<script([^>]*)>([^<]*)/g)) {
    assert.match(attributes ?? '', / src="/)
    assert.is(content, '')
  }
})

it('are smaller than 150 kB compressed, without the worker', () => {
  const counted = files.filter(({ path }) => !path.includes('/audit-worker-'))
  const sizes = counted.map(({ bytes }) => gzipSync(bytes, { level: 9 }).length)
  assert.ok(
    sizes.reduce((sum, size) => sum + size, 0) < 150_000,
    counted.map(({ path }, at) => `${path} ${sizes[at]}`).join('\n'),
  )
})

it('say nothing about the machine that has built them', () => {
  for (const file of files)
    for (const told of ['sourceMappingURL', 'sourceURL', process.cwd(), 'node_modules'])
      assert.not.ok(textOf(file).includes(told), `${file.path} has ${told}`)
})

it('name the servers that the page may ask beside its own', () => {
  const both = consoleFiles({ servers: ['https://api.example.com', 'HTTP://127.0.0.1:8080/'] })
  const policy = POLICY.replace(
    "connect-src 'self'",
    "connect-src 'self' https://api.example.com http://127.0.0.1:8080",
  )
  for (const { headers } of both) assert.is(headers['Content-Security-Policy'], policy)
})

it('refuse servers that are no origins', () => {
  const wrong = [
    '',
    '*',
    'api.example.com',
    'https://*.example.com',
    'https://a.example/path',
    'wss://a.example',
    'null',
  ]
  for (const one of [...wrong, 'https://a.example https://b.example', "https://a.example;script-src 'unsafe-inline'"])
    assert.throws(
      () => consoleFiles({ servers: ['https://api.example.com', one] }),
      (error: unknown) =>
        error instanceof RangeError && error.message.startsWith('servers: expected an origin such as '),
      one,
    )
})

it('are served as they are', () =>
  serving(fakeEngine(), { files, basePath: '/behind' }, async (url) => {
    for (const { path, type, headers, bytes } of files) {
      const reply = await fetch(`${url}/behind${path}`)
      assert.equal([reply.status, reply.headers.get('content-type')], [200, type])
      for (const [name, value] of Object.entries(headers)) assert.is(reply.headers.get(name), value)
      assert.is(reply.headers.get('access-control-allow-origin'), null)
      assert.ok(Buffer.from(await reply.arrayBuffer()).equals(bytes), path)
    }
  }))

it('are found from the library and from the bundle of the command line, and missed in words', async () => {
  const { path, remove } = await temporaryFolder()
  try {
    const bundle = join(path, 'dist/bin/files.mjs')
    const entryPoints = ['adapters/console/console-files.ts']
    await build({ entryPoints, outfile: bundle, bundle: true, platform: 'node', format: 'esm' })
    const bundled = await loaded(bundle)
    assert.throws(bundled, /^the page of the console is not there: npm run build makes it$/)
    cpSync('dist/console', join(path, 'dist/console'), { recursive: true })
    assert.equal(bundled(), files)
    const compiled = await loaded(resolve('dist/adapters/console/index.js'))
    assert.equal(compiled(), files)
  } finally {
    await remove()
  }
})

const loaded = async (path: string): Promise<typeof consoleFiles> =>
  ((await import(pathToFileURL(path).href)) as { readonly consoleFiles: typeof consoleFiles }).consoleFiles // made of that source

it.run()
