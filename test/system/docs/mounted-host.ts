/** Runs the programs of docs/how-to/mount.md as a reader would copy them, and asks them what a host wants to be sure of. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { createEngine, organizationRequest, publicApi } from '../../../adapters/index.ts'
import { generateKey, stampedRequest, type SigningKey } from '../../../adapters/signatures/index.ts'
import { sqliteStore } from '../../../adapters/store-sqlite/index.ts'
import type { Json } from '../../../core/failure.ts'
import { freePort } from '../../adapters/free-port.ts'
import { until } from '../../until.ts'
import { blocksOf, pageOf } from './markdown.ts'

/** The blocks of the page that are files, by the name in their first line. */
export const mountedFiles = (): ReadonlyMap<string, string> =>
  new Map(
    blocksOf(pageOf('docs/how-to/mount.md')).flatMap(({ code }) => {
      const [, name] = /^\/\/ (\S+\.[jt]s)\n/.exec(code) ?? []
      return name === undefined ? [] : [[name, code]]
    }),
  )

/** Writes files of the page into the folder of a host. @param change  what is changed in them, which has to be there */
export const writeFiles = (folder: string, names: readonly string[], change: readonly Change[] = []): void => {
  const files = mountedFiles()
  for (const name of names) {
    let code = files.get(name)
    if (code === undefined) throw new Error(`docs/how-to/mount.md has no ${name}`)
    for (const { of, from, to } of change.filter(({ of }) => of === name)) {
      if (!code.includes(from)) throw new Error(`${of} of docs/how-to/mount.md has no ${from}`)
      code = code.replace(from, to)
    }
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), code)
  }
}

export type Change = { readonly of: string; readonly from: string; readonly to: string }

export type Owner = { readonly organizationId: string; readonly key: SigningKey }

/** Begins an organization in a new store, the one that `engine.ts` opens, and writes the request that did it to `begin.json`. */
export const beginIn = async (folder: string): Promise<Owner> => {
  for (const end of ['', '-wal', '-shm', '.lock']) rmSync(join(folder, `activities.db${end}`), { force: true })
  const engine = await createEngine({
    store: sqliteStore({ path: join(folder, 'activities.db') }),
    resources: publicApi,
  })
  const key = generateKey('API_KEY_CURVE_P256')
  const organizationId = crypto.randomUUID()
  const request = organizationRequest({ name: 'Treasury', organizationId, key })
  await engine.createOrganization(request)
  await engine.close()
  writeFileSync(join(folder, 'begin.json'), JSON.stringify({ headers: request.headers, body: [...request.body] }))
  return { organizationId, key }
}

export type Running = {
  readonly url: string
  /** Everything that the program has printed. */
  readonly output: () => string
}

/** Starts a program that listens on the port in `PORT`, runs `use`, and ends the program. */
export const running = async (
  { command, args, folder }: { readonly command: string; readonly args: readonly string[]; readonly folder: string },
  use: (host: Running) => Promise<void>,
): Promise<void> => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), NODE_ENV: 'production' }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  try {
    await listening(url, () => child.exitCode !== null)
    await use({ url, output: () => output })
  } catch (error) {
    console.log(`${command} ${args.join(' ')}:\n${output}`)
    throw error
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL') // it may have started others
    await ended
  }
}

const listening = (url: string, hasEnded: () => boolean) =>
  until(async () => {
    if (hasEnded()) throw new Error('the program has ended')
    return fetch(`${url}/countersign/healthz`).catch(() => undefined)
  })

type Answer = { readonly status: number; readonly body: { readonly [member: string]: unknown } }

const stamped = async (
  url: string,
  { organizationId, key }: Owner,
  path: string,
  more: { readonly [member: string]: Json },
): Promise<Answer> => {
  const { headers, body } = stampedRequest(key, { organizationId, timestampMs: String(Date.now()), ...more })
  const response = await fetch(`${url}/countersign/public/v1/${path}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'Content-Type': 'application/json', 'X-Stamp': String(headers['x-stamp']) },
  })
  return { status: response.status, body: JSON.parse(await response.text()) as Answer['body'] } // every answer is an object
}

const tag = (userTagName: string) => ({
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  parameters: { userTagName, userIds: [] },
})

/** What must hold in every host: its own routes are its own, and all of the API is there. */
export const asksAll = async (
  url: string,
  owner: Owner,
  hostRoute: { readonly path: string; readonly says: string },
): Promise<void> => {
  const health = await fetch(`${url}/countersign/healthz`)
  assert.equal([health.status, await health.json()], [200, { status: 'ok' }])
  const head = await fetch(`${url}/countersign/healthz`, { method: 'HEAD' })
  assert.equal([head.status, await head.text()], [200, ''])
  const preflight = await fetch(`${url}/countersign/public/v1/query/whoami`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example.com' },
  })
  assert.equal([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'POST, OPTIONS'])

  const whoami = await stamped(url, owner, 'query/whoami', {})
  assert.equal([whoami.status, whoami.body['organizationId']], [200, owner.organizationId], JSON.stringify(whoami.body))
  const submitted = await stamped(url, owner, 'submit/create_user_tag', tag(`officers ${crypto.randomUUID()}`))
  const { status } = submitted.body['activity'] as { readonly status: string } // a submit gives an activity
  assert.equal([submitted.status, status], [200, 'ACTIVITY_STATUS_COMPLETED'])
  const long = await stamped(url, owner, 'submit/create_user_tag', {
    ...tag(`long ${crypto.randomUUID()}`),
    rest: 'x'.repeat(300_000),
  })
  assert.is(long.status, 200, JSON.stringify(long.body))
  const tooLong = await stamped(url, owner, 'submit/create_user_tag', { ...tag('vast'), rest: 'x'.repeat(1_100_000) })
  assert.is(tooLong.status, 413)
  const unstamped = await fetch(`${url}/countersign/public/v1/query/whoami`, {
    method: 'POST',
    body: JSON.stringify(owner.organizationId),
  })
  assert.is(unstamped.status, 400)
  assert.is((await fetch(`${url}/countersign/public/v1/query/whoami`)).status, 405)

  for (const path of ['/countersign/nowhere', '/countersigned/healthz', '/healthz']) {
    const text = await (await fetch(url + path)).text()
    assert.not.match(text, 'turnkeyErrorCode', `${path} is left to the host`)
    assert.not.match(text, '"status"')
  }
  const own = await fetch(url + hostRoute.path, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'Content-Type': 'application/json' },
  })
  assert.match(await own.text(), hostRoute.says)
}

/** The addresses of callers in the log of a host that has ended. */
export const addressesIn = (folder: string): readonly string[] => {
  const store = `sqlite:${join(folder, 'activities.db')}`
  const log = join(folder, 'log.jsonl')
  execFileSync(process.execPath, ['dist/bin/countersign.js', 'export', '--store', store, '--out', log, '--force'])
  const texts = readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => /^\{"part":"personal:.*"bytes":"([^"]*)"/.exec(line)?.[1] ?? [])
    .map((base64) => Buffer.from(base64, 'base64').toString())
  const found = texts.flatMap((text) => /"address":"([^"]*)"/.exec(text)?.[1] ?? [])
  return [...new Set(found)]
}

/** What a host sees that has read the body before. */
export const asksTooLate = async ({ url, output }: Running, owner: Owner): Promise<void> => {
  const { status, body } = await stamped(url, owner, 'query/whoami', {})
  assert.is(status, 500)
  assert.match(String(body['message']), 'mount Countersign before body parsers')
  await until(() => output().includes('mount before body parsers'))
}
