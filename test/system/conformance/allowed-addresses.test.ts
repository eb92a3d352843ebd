import { request } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpServer, type HttpServerOptions } from '../../../adapters/http/index.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { encodePersonal } from '../../../core/log/personal-part.ts'
import { draftsOf, forged, must } from '../../core/audit/forgery.ts'
import { audited, codesIn, exported } from '../../core/audit/logs.ts'
import { testClock, world, type Person, type Signer, type World } from '../../core/world/world.ts'

const it = suite('allowed addresses over sockets')

type Reply = { readonly status: number; readonly text: string }
type Met = World & {
  readonly ada: Person
  /** Asks or submits at an address of the server. @returns the status and the text of the answer */
  readonly from: (host: string, person: Signer, forwardedFor?: string) => Sent
}
type Sent = {
  readonly submit: (path: string, parameters: Json) => Promise<Reply>
  readonly ask: () => Promise<Reply>
}

/** A server on IPv4 and IPv6 at once. A connection to an address of this machine comes from the same address. */
const met = async (play: (w: Met) => Promise<void>, options: HttpServerOptions = {}): Promise<void> => {
  const w = await world({ testClock: testClock(Date.now()) })
  const server = httpServer(w.engine, options)
  const port = Number(new URL((await server.listen({ host: '::' })).url).port)
  try {
    const from: Met['from'] = (host, person, forwardedFor) => {
      const post = (path: string, body: Uint8Array): Promise<Reply> =>
        posted({ host, port, path: `/public/v1/${path}` }, person, body, forwardedFor)
      return {
        submit: (path, parameters) => post(`submit/${path}`, w.body(path, parameters)),
        ask: () => post('query/whoami', Buffer.from(JSON.stringify({ organizationId: w.organizationId }))),
      }
    }
    await play({ ...w, ada: await w.enrol('ada'), from })
  } finally {
    await server.close()
    await w.close()
  }
}

const posted = (
  place: { readonly host: string; readonly port: number; readonly path: string },
  { key }: Signer,
  body: Uint8Array,
  forwardedFor: string | undefined,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = {
      'X-Stamp': stamp(key, body),
      ...(forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor }),
    }
    const sent = request({ ...place, method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const IPV4 = '127.0.0.1'
const IPV6 = '::1'
const list = (...cidrs: readonly string[]): Json => ({ enabled: true, rules: cidrs.map((cidr) => ({ cidr })) })
const listOf = ({ key }: Signer, ...cidrs: readonly string[]): Json => ({
  publicKey: key.publicKey,
  rules: cidrs.map((cidr) => ({ cidr })),
})
const statuses = async (replies: readonly Promise<Reply>[]): Promise<readonly number[]> =>
  (await Promise.all(replies)).map(({ status }) => status)
const tag = (userTagName: string): Json => ({ userTagName, userIds: [] })

/** Audits the log honestly, with a part of the last vote or request that says another address, and with all hashes made again. */
const assertAudited = async ({ storage }: World, refused: string): Promise<void> => {
  const honest = await exported(storage.store)
  assert.equal(codesIn(await audited(honest)), [])
  const drafts = draftsOf(honest)
  const draft = must(drafts.findLast(({ others = [] }) => others.length > 0))
  const part = must(draft.others?.[0])
  const before = Buffer.from(part.bytes).toString('base64')
  part.bytes = encodePersonal({ address: refused })
  assert.equal(codesIn(await audited(forged(drafts))), ['ADDRESS_REFUSED'])
  const changed = honest.replace(before, Buffer.from(part.bytes).toString('base64'))
  assert.ok(codesIn(await audited(changed)).includes('PART_DIFFERS'))
}

for (const [own, other] of [
  [IPV4, IPV6],
  [IPV6, IPV4],
] as const) {
  const network = own === IPV4 ? '127.0.0.1/32' : '::1/128'

  it(`are judged for the organization: ${network}`, () =>
    met(async (w) => {
      const { root, ada, from } = w
      assert.is((await from(own, root).submit('set_ip_allowlist', list(network))).status, 200)
      assert.equal(await statuses([from(own, ada).ask(), from(other, ada).ask()]), [200, 403])
      const refused = await from(other, root).submit('create_user_tag', tag('refused'))
      const { code, message, turnkeyErrorCode } = JSON.parse(refused.text) as { readonly [member: string]: Json }
      assert.equal(
        [refused.status, code, message, turnkeyErrorCode],
        [403, 7, 'request not authorized', 'REQUEST_NOT_AUTHORIZED'],
      )
      assert.is((await from(other, root).submit('no_such_path', {})).status, 404)
      assert.is(
        (await from(other, root).submit('create_user_tag', { userTagName: 7 })).status,
        403,
        'before the body is read',
      )
      assert.is((await from(own, root).submit('create_user_tag', tag('served'))).status, 200)
      const stranger = { key: generateKey('API_KEY_CURVE_P256') }
      assert.equal(await statuses([from(own, stranger).ask(), from(other, stranger).ask()]), [401, 401])
      await assertAudited(w, other)
    }))

  it(`are judged for one key: ${network}`, () =>
    met(async (w) => {
      const { root, ada, from } = w
      const both = list('127.0.0.1/32', '::1/128')
      assert.is((await from(own, root).submit('set_ip_allowlist', both)).status, 200)
      assert.is((await from(own, root).submit('set_ip_allowlist', listOf(ada, network))).status, 200)
      assert.equal(await statuses([from(own, ada).ask(), from(other, ada).ask()]), [200, 403])
      assert.equal(await statuses([from(own, root).ask(), from(other, root).ask()]), [200, 200])
      assert.is((await from(own, ada).submit('update_user_name', { userId: ada.userId, userName: 'ada' })).status, 403)
      await assertAudited(w, other)
    }))
}

it('are those that a trusted proxy tells, and no others', () =>
  met(
    async (w) => {
      const { root, from } = w
      const CLIENT = '203.0.113.7'
      assert.is((await from(IPV4, root, CLIENT).submit('set_ip_allowlist', list('203.0.113.0/24'))).status, 200)
      const asked = [
        from(IPV4, root, CLIENT).ask(),
        from(IPV4, root, `198.51.100.1, ${CLIENT}`).ask(),
        from(IPV4, root, `${CLIENT}, 198.51.100.1`).ask(),
        from(IPV4, root).ask(),
        from(IPV6, root, CLIENT).ask(),
      ]
      assert.equal(await statuses(asked), [200, 200, 403, 403, 403])
      assert.is((await from(IPV4, root, CLIENT).submit('create_user_tag', tag('served'))).status, 200)
      await assertAudited(w, '198.51.100.1')
    },
    { trustedProxies: [IPV4] },
  ))

it('are not those that a caller claims, where no proxy is trusted', () =>
  met(async ({ root, from }) => {
    assert.is((await from(IPV4, root).submit('set_ip_allowlist', list('127.0.0.1/32'))).status, 200)
    assert.is((await from(IPV6, root, IPV4).ask()).status, 403)
    assert.is((await from(IPV4, root, '203.0.113.7').ask()).status, 200)
  }))

it.run()
