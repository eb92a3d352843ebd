import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure, Json } from '../../../../core/failure.ts'
import { cannotSend } from '../../../../core/organization/issued-key.ts'
import { E } from '../../../../core/prelude.ts'
import { stamped, codeOf, right, type Place, type Signer } from '../../world/world.ts'
import { audited, exported } from '../../audit/logs.ts'
import { operations, queries } from '../all-examples.ts'
import { NOBODY } from '../example.ts'
import { came } from '../oauth-provider/scene.ts'
import { childOf } from '../sub-organization/children.ts'
import { allow, asConfig, letIn } from './scene.ts'

const it = suite('what the keys of the auth proxy may send')

const VOTES = ['approve_activity', 'reject_activity']
const paths = [...operations.map(({ path }) => path), ...VOTES]

const isShut = (answer: E.Either<Failure, unknown>): boolean =>
  E.isLeft(answer) && answer.left.message === cannotSend.message

/** The paths and queries behind whose doors the key comes, whatever is said there. */
const letThrough = async (place: Place, caller: Signer): Promise<readonly string[]> => {
  const open: string[] = []
  const parameters: Json = { fingerprint: `sha256:${'0'.repeat(64)}` } // what a vote needs; others refuse it, behind the door
  for (const { path } of queries) if (!isShut(await place.ask(caller, path, { activityId: NOBODY }))) open.push(path)
  for (const path of paths) if (!isShut(await place.submit(caller, path, parameters))) open.push(path)
  return open.toSorted()
}

/** What is refused before a turn: a body that no operation reads, and what is done in the parent alone, or by its own users. */
const SUBMITS = ['create_sub_organization', 'init_otp', 'oauth2_authenticate', 'oauth_login', 'otp_login', 'verify_otp']
const ASKS = ['find_verified_user', 'get_activity', 'list_oauth2_credentials', 'list_suborgs', 'list_verified_suborgs']
const offered = new Set([...queries, ...operations].map(({ path }) => path))

it('is nothing but what signing in takes, also where policies allow everything', async () => {
  const w = await letIn()
  await allow(w, 'everything')
  const child = await childOf(w)
  await allow(child, 'everything')
  for (const [caller, place, expected] of [
    [w.proxy, w, [...SUBMITS, ...ASKS]],
    [w.proxy, child, [...SUBMITS, ...ASKS, 'create_oauth_providers']],
    [asConfig, w, ['get_auth_proxy_config']],
    [asConfig, child, ['get_auth_proxy_config']],
  ] as const)
    assert.equal(await letThrough(place, caller), expected.filter((path) => offered.has(path)).toSorted())
  await w.close()
})

it('shows no activity but its own to the key by which the proxy acts', async () => {
  const w = await letIn()
  const child = await childOf(w)
  const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'user@example.com', appName: 'app' }
  const own = right(await w.submit(w.proxy, 'init_otp', code))
  const other = right(await w.submit(w.root, 'init_otp', code))
  const below = await child.done(child.root, 'create_user_tag', { userTagName: 'tag', userIds: [] })
  const shown = async (place: Place, activityId: string) =>
    codeOf(await place.ask(w.proxy, 'get_activity', { activityId }))
  assert.is(await shown(w, own.id), 'no failure')
  assert.is(await shown(w, other.id), 'ACTIVITY_NOT_FOUND')
  assert.is(await shown(child, below.id), 'ACTIVITY_NOT_FOUND')
  assert.is(codeOf(await w.ask(w.root, 'get_activity', { activityId: own.id })), 'no failure')
  await w.close()
})

it('comes from any address, whatever lists of addresses say, and an audit agrees', async () => {
  const w = await letIn()
  const from = (address: string | null, signer: Signer, path: string, parameters: Json) =>
    w.engine.submit(path, { ...stamped(signer, w.body(path, parameters)), address })()
  const inside = '203.0.113.7'
  const rules = [{ cidr: '203.0.113.0/24', label: 'office' }]
  const { publicKey } = w.proxy.key
  right(await from(inside, w.root, 'set_ip_allowlist', { publicKey, rules: [{ cidr: '198.51.100.1/32', label: '' }] }))
  right(await from(inside, w.root, 'set_ip_allowlist', { rules, enabled: true }))
  const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'user@example.com', appName: 'app' }
  for (const address of ['192.0.2.1', null]) {
    assert.is(codeOf(await from(address, w.root, 'init_otp', code)), 'REQUEST_NOT_AUTHORIZED')
    assert.is(came(await from(address, w.proxy, 'init_otp', code)), 'COMPLETED')
  }
  for (const [signer, path, came] of [
    [w.root, 'list_suborgs', 'REQUEST_NOT_AUTHORIZED'],
    [w.proxy, 'list_suborgs', 'no failure'],
    [asConfig, 'get_auth_proxy_config', 'no failure'],
  ] as const)
    assert.is(codeOf(await w.ask(signer, path)), came)
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
  await w.close()
})

it.run()
