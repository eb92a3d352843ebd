/** The programs of docs/how-to/mount.md that run on Node, on the frameworks as they come from npm. `test/package/hosts/` runs the others. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressesIn, asksAll, asksTooLate, beginIn, running, writeFiles, type Change } from './mounted-host.ts'

const it = suite('the programs of docs/how-to/mount.md')

const folder = mkdtempSync(join(tmpdir(), 'countersign-mount-'))

it.before(() => {
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('.')))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  symlinkSync(resolve('.'), join(folder, 'node_modules/countersign'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})

it.after(() => rmSync(folder, { recursive: true, force: true }))

const tsx = pathToFileURL(resolve('node_modules/tsx/dist/loader.mjs')).href
const program = (name: string) => ({ command: process.execPath, args: ['--import', tsx, name], folder })

const ordered = { path: '/orders', says: '{"ordered":{"a":1}}' }
const MOUNT = "app.use(httpHandler(engine, { basePath: '/countersign' }))"

/** Each host, its own route, and the change that has it read bodies before. */
const hosts: readonly (readonly [name: string, own: typeof ordered, tooLate: Change])[] = [
  ['express.ts', ordered, { of: 'express.ts', from: MOUNT, to: `app.use(express.json())\n${MOUNT}` }],
  ['fastify.ts', ordered, { of: 'fastify.ts', from: "'onRequest'", to: "'preHandler'" }],
  ['hono.ts', ordered, { of: 'hono.ts', from: '  return (await', to: '  await c.req.json()\n  return (await' }],
  [
    'node.ts',
    { path: '/orders', says: 'here is /orders' },
    {
      of: 'node.ts',
      from: '(request, response) => {\n',
      to: "async (request, response) => {\n  for await (const piece of request) console.log(piece.length, 'bytes')\n",
    },
  ],
]

for (const [name, own, tooLate] of hosts) {
  it(`${name} serves its own routes and all of the API`, async () => {
    writeFiles(folder, ['engine.ts', name])
    const owner = await beginIn(folder)
    await running(program(name), ({ url }) => asksAll(url, owner, own))
    assert.equal(addressesIn(folder), ['127.0.0.1'])
  })

  it(`${name} says what is wrong where bodies are read before`, async () => {
    writeFiles(folder, ['engine.ts', name], [tooLate])
    const owner = await beginIn(folder)
    await running(program(name), (host) => asksTooLate(host, owner))
  })
}

/** Other ways to mount that the page names. */
const variants: readonly (readonly [says: string, change: Change])[] = [
  ['at a path of Express', { of: 'express.ts', from: MOUNT, to: "app.use('/countersign', httpHandler(engine))" }],
  [
    'at a path of Express, with a base path',
    { of: 'express.ts', from: 'app.use(httpHandler', to: "app.use('/countersign', httpHandler" },
  ],
  [
    'in a router of Express',
    { of: 'express.ts', from: MOUNT, to: "app.use('/countersign', express.Router().use(httpHandler(engine)))" },
  ],
  [
    'behind express.raw()',
    {
      of: 'express.ts',
      from: MOUNT,
      to: `app.use('/countersign', express.raw({ type: () => true, limit: '2mb' }))\n${MOUNT}`,
    },
  ],
]

for (const [says, change] of variants)
  it(`serve all of the API ${says}`, async () => {
    writeFiles(folder, ['engine.ts', 'express.ts'], [change])
    const owner = await beginIn(folder)
    await running(program('express.ts'), ({ url }) => asksAll(url, owner, ordered))
  })

it.run()
