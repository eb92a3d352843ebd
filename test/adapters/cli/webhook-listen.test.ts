import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../free-port.ts'
import { until } from '../../until.ts'
import { hookOf, hookReceiver } from './hook-receiver.ts'
import { done } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { folder, run, serve, start } from './run-cli.ts'

const it = suite('webhooks listen')

const LISTENING =
  /^listening on (http:\/\/127\.0\.0\.1:\d+), for what (\S+) signs; its server needs --allow-private-network$/m

type Headers = { readonly [name: string]: string } // none of them comes more than once

/** Sends what was told to somebody else; gives the status of the answer. */
const sendOn = async (url: string, headers: IncomingHttpHeaders, body: string): Promise<number> => {
  const others = Object.entries(headers).filter(([name]) => /turnkey|webhook/.test(name))
  const answer = await fetch(url, { method: 'POST', headers: Object.fromEntries(others) as Headers, body })
  return answer.status
}

it('verifies what it is told, prints a line of each, and says what is wrong with others', async () => {
  const cwd = folder()
  const flags = ['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json', '--allow-private-network']
  const server = await serve(flags, { cwd })
  const client = await rootClient(`${cwd}/c.json`)
  const listening = start(['webhooks', 'listen', '--port', '0', '--url', server.url], { cwd })
  const [, url = '', trusted] = await listening.said(LISTENING)
  assert.is(trusted, server.url)
  const to = await hookReceiver()
  const here = url.replace('127.0.0.1', 'localhost')
  for (const at of [`${here}/hook`, to.url]) await hookOf(client, at)
  const { activity } = done(await client.submit('create_user_tag', { userTagName: 'tag', userIds: [] }))
  const { id, organizationId } = activity as { readonly id: string; readonly organizationId: string }
  const what = `ACTIVITY_STATUS_COMPLETED  ACTIVITY_TYPE_CREATE_USER_TAG  ${id}  ${organizationId}`
  await listening.said(new RegExp(`^verified  ${what}$`, 'm'))

  await until(() => to.heard.some(({ told }) => told.id === id))
  const genuine = to.heard.find(({ told }) => told.id === id)
  if (genuine === undefined) throw new Error('it was heard')
  const { headers, body } = genuine
  assert.is(await sendOn(url, headers, body), 204)
  const wrong = async (changed: IncomingHttpHeaders, says: string, as = body): Promise<void> => {
    assert.is(await sendOn(url, { ...headers, ...changed }, as), 400)
    await listening.said(new RegExp(`^${says}  `, 'm'))
  }
  await wrong({}, 'wrong signature', body.replace('COMPLETED', 'REJECTED'))
  const timestamp = headers['x-turnkey-timestamp']
  await wrong({ 'x-turnkey-event-id': organizationId }, 'wrong signature')
  await wrong({ 'x-turnkey-signature': 'zz' }, 'wrong signature')
  await wrong({ 'x-turnkey-signature': '' }, 'not signed')
  await wrong({ 'x-turnkey-signature-key-id': '0123456789abcdef' }, 'unknown key')
  await wrong({ 'x-turnkey-timestamp': String(Number(timestamp) - 301_000) }, 'too old')

  listening.child.kill('SIGTERM')
  const { code, stdout } = await listening.ended
  assert.is(code, 0)
  assert.is(stdout.split('\n').filter((line) => line.startsWith('verified') && line.endsWith(what)).length, 2)
  assert.is((await server.stop()).code, 0)
  await to.close()
})

it('goes on after senders that break off, send too much or send no JSON, and escapes what they send', async () => {
  const cwd = folder()
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const listening = start(['webhooks', 'listen', '--port', '0', '--url', nowhere, '--json'], { cwd })
  const [, url = ''] = await listening.said(LISTENING)
  const { hostname, port } = new URL(url)
  const cut = connect(Number(port), hostname)
  cut.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n')
  await once(cut, 'data') // it waits for the body
  await new Promise<void>((resolve) => void cut.write('{"', () => resolve()))
  cut.resetAndDestroy()
  const line = (members: object): string => `${JSON.stringify({ verified: 'not signed', ...members })}\n`
  const nothing = { status: '', type: '', id: '', organizationId: '' }
  for (const body of ['', 'no JSON', '[]', '{"id":1}']) assert.is(await sendOn(url, {}, body), 400)
  const told = { status: 'S\u001b[31m', type: 'T', id: 'I', organizationId: 'O' }
  assert.is(await sendOn(url, {}, JSON.stringify(told)), 400)
  const signed = { 'x-turnkey-signature': '00', 'x-turnkey-timestamp': String(Date.now()) }
  assert.is(await sendOn(url, signed, JSON.stringify(told)), 400) // its server does not answer
  await fetch(url, { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024) }).catch(() => undefined) // it need not read all
  await listening.said(/the body is too long/)
  listening.child.kill('SIGINT')
  const { code, stdout, stderr } = await listening.ended
  assert.is(code, 0)
  assert.not.match(stdout, '\u001b')
  const [known, unknown] = [told, { ...told, verified: 'unknown key' }].map((one) =>
    line(one).replace('\u001b', '\\u001b'),
  )
  const tooLong = line({ verified: 'the body is too long', ...nothing })
  assert.is(stdout, [...Array<string>(4).fill(line(nothing)), known, unknown, tooLong].join(''))
  assert.match(stderr, /^listening on \S+, for .*\n$/)
})

it('says so where it cannot listen', async () => {
  const cwd = folder()
  const to = await hookReceiver()
  const { port } = new URL(to.url)
  const { code, stderr } = await run(['webhooks', 'listen', '--port', port], { cwd })
  const inUse = `cannot listen on 127.0.0.1, port ${port}: the port is in use`
  assert.equal([code, stderr], [2, `countersign: ${inUse}: give another with --port or COUNTERSIGN_WEBHOOK_PORT\n`])
  await to.close()
})

it.run()
