import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure, Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { audited, codesIn, exported } from '../audit/logs.ts'
import { register } from '../resources/authenticator/passkey-world.ts'
import { fieldsOf } from '../resources/execute.ts'
import { anyPasskey } from '../world/software-passkey.ts'
import { codeOf, right, stamped, world, type Person, type Signer, type World } from '../world/world.ts'

const it = suite('allowed addresses')

const HOME = '203.0.113.7'
const AWAY = '198.51.100.7'
const NEAR_HOME = '203.0.113.0/24'

type Answer = E.Either<Failure, ActivityView>
type Far = World & {
  readonly from: (address: string | null, person: Signer, path: string, parameters: Json) => Promise<Answer>
  readonly asks: (
    address: string | null,
    person: Signer,
    members?: { readonly [m: string]: Json },
    path?: string,
  ) => Promise<string>
}

const far = async (): Promise<Far> => {
  const w = await world()
  return {
    ...w,
    from: (address, person, path, parameters) =>
      w.engine.submit(path, { ...stamped(person, w.body(path, parameters)), address })(),
    asks: async (address, person, members = {}, path = 'whoami') => {
      const body = Buffer.from(JSON.stringify({ organizationId: w.organizationId, ...members }))
      return codeOf(await w.engine.query(path, { ...stamped(person, body), address })())
    },
  }
}
const rules = (...cidrs: readonly string[]) => cidrs.map((cidr) => ({ cidr }))
const enabled = (...cidrs: readonly string[]) => ({ enabled: true, rules: rules(...cidrs) })
const held = async ({ storage, close }: World): Promise<void> => {
  assert.equal(codesIn(await audited(await exported(storage.store))), [])
  await close()
}
const refusedWith = (answer: Answer): readonly string[] =>
  E.isLeft(answer) ? [answer.left.code, answer.left.message] : ['no failure']
const REFUSED = ['REQUEST_NOT_AUTHORIZED', 'request not authorized']

it('are everybody and everywhere without an enabled list, whatever rules there are', async () => {
  const w = await far()
  right(await w.from(AWAY, w.root, 'set_ip_allowlist', { rules: rules(NEAR_HOME) }))
  right(await w.from(AWAY, w.root, 'set_ip_allowlist', { publicKey: w.root.key.publicKey, rules: rules(NEAR_HOME) }))
  assert.is(await w.asks(AWAY, w.root), 'no failure')
  await held(w)
})

it('are judged for votes, and again for what waits', async () => {
  const w = await far()
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const asked = right(await w.from(HOME, w.root, 'set_ip_allowlist', enabled(NEAR_HOME)))
  const { fingerprint } = asked
  const fromAway = await w.from(AWAY, ada, 'approve_activity', { fingerprint })
  assert.match(refusedWith(fromAway).join(' '), /REQUEST_INVALID .* would refuse the very request that sets it/)
  right(await w.from(HOME, ada, 'approve_activity', { fingerprint }))
  const other = right(await w.from(HOME, w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] }))
  assert.equal(refusedWith(await w.from(AWAY, ada, 'approve_activity', { fingerprint: other.fingerprint })), REFUSED)
  assert.equal(refusedWith(await w.from(AWAY, ada, 'reject_activity', { fingerprint: other.fingerprint })), REFUSED)
  assert.is(
    right(await w.from(HOME, ada, 'reject_activity', { fingerprint: other.fingerprint })).status,
    'ACTIVITY_STATUS_REJECTED',
  )
  await held(w)
})

it('do not let a list shut out whoever sets it, by any of its ways', async () => {
  const w = await far()
  const { publicKey } = w.root.key
  const set = (parameters: Json) => w.from(HOME, w.root, 'set_ip_allowlist', parameters).then(codeOf)
  assert.is(await set(enabled('198.51.100.0/24')), 'REQUEST_INVALID')
  assert.is(await set({ enabled: true }), 'REQUEST_INVALID')
  assert.is(await set({ publicKey, rules: rules(NEAR_HOME) }), 'no failure')
  assert.is(await set({ enabled: true }), 'no failure')
  assert.is(await set({ publicKey, rules: [] }), 'REQUEST_INVALID')
  assert.is(codeOf(await w.from(HOME, w.root, 'remove_ip_allowlist', { publicKey })), 'REQUEST_INVALID')
  assert.is(codeOf(await w.from(HOME, w.root, 'remove_ip_allowlist', {})), 'no failure')
  assert.is(codeOf(await w.from(AWAY, w.root, 'remove_ip_allowlist', { publicKey })), 'no failure')
  await held(w)
})

it('are decided by onEvaluationError where the address is not known, unless nobody is let in', async () => {
  const w = await far()
  const ada = await w.enrol('ada')
  const set = async (more: { readonly [member: string]: Json }) => {
    right(await w.from(HOME, w.root, 'set_ip_allowlist', { ...enabled(NEAR_HOME), ...more }))
    return [await w.asks(null, ada), await w.asks('a socket', ada)]
  }
  const { publicKey } = w.root.key
  assert.equal(await set({ onEvaluationError: 'ALLOW' }), ['no failure', 'no failure'])
  assert.equal(await set({}), ['REQUEST_NOT_AUTHORIZED', 'REQUEST_NOT_AUTHORIZED'])
  right(await w.from(HOME, w.root, 'set_ip_allowlist', { publicKey, rules: rules(NEAR_HOME) }))
  const nobody = await set({ rules: [], onEvaluationError: 'ALLOW' })
  assert.equal(nobody, ['REQUEST_NOT_AUTHORIZED', 'REQUEST_NOT_AUTHORIZED'])
  await held(w)
})

it('take IPv4 that is mapped into IPv6 for IPv4, and no IPv4 for IPv6', async () => {
  const w = await far()
  right(await w.from(`::ffff:${HOME}`, w.root, 'set_ip_allowlist', enabled('::ffff:203.0.113.9/120', '::/48')))
  assert.equal(
    [await w.asks(HOME, w.root), await w.asks(AWAY, w.root), await w.asks('::1', w.root)],
    ['no failure', 'REQUEST_NOT_AUTHORIZED', 'no failure'],
  )
  await held(w)
})

it('die with their key, of both kinds', async () => {
  const w = await far()
  const ada = await w.enrol('ada')
  const passkey = anyPasskey()
  await register(w, ada, passkey)
  const people: readonly Person[] = [ada, { ...ada, passkey }]
  const { authenticators } = right(await w.ask(w.root, 'get_authenticators', { userId: ada.userId }))
  const [shown] = authenticators as readonly { readonly credential: { readonly publicKey: string } }[] // as it is defined
  const keys = [ada.key.publicKey, shown?.credential.publicKey ?? '']
  right(await w.from(HOME, w.root, 'set_ip_allowlist', enabled(NEAR_HOME)))
  for (const publicKey of keys)
    right(await w.from(HOME, w.root, 'set_ip_allowlist', { publicKey, rules: rules('198.51.100.0/24') }))
  for (const person of people)
    assert.equal([await w.asks(HOME, person), await w.asks(AWAY, person)], ['REQUEST_NOT_AUTHORIZED', 'no failure'])
  right(await w.from(HOME, w.root, 'delete_users', { userIds: [ada.userId] }))
  for (const publicKey of keys) {
    assert.is(await w.asks(HOME, w.root, { publicKey }, 'get_ip_allowlist'), 'RESOURCE_NOT_FOUND')
    assert.is(codeOf(await w.from(HOME, w.root, 'set_ip_allowlist', { publicKey })), 'RESOURCE_NOT_FOUND')
  }
  await held(w)
})

it('name the entry and the value that are wrong', async () => {
  const w = await far()
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ cidr: `203.0.113.${n}/32` }))
  const wrong: readonly (readonly [parameters: Json, field: string, value?: string])[] = [
    [{ rules: rules(NEAR_HOME, '10.0.0.0/8') }, 'rules.1.cidr', '10.0.0.0/8'],
    [{ rules: rules('2001:db8::/47') }, 'rules.0.cidr', '2001:db8::/47'],
    [{ rules: rules('::ffff:10.0.0.0/104') }, 'rules.0.cidr', '::ffff:10.0.0.0/104'],
    [{ rules: rules('here') }, 'rules.0.cidr', 'here'],
    [{ rules: rules(HOME) }, 'rules.0.cidr', HOME],
    [{ rules: many(11) }, 'rules'],
    [{ enabled: false, publicKey: w.root.key.publicKey }, 'enabled'],
    [{ publicKey: '' }, 'publicKey'],
    [{ onEvaluationError: 'LATER' }, 'onEvaluationError'],
  ]
  for (const [parameters, field, value = ''] of wrong) {
    const answer = await w.from(HOME, w.root, 'set_ip_allowlist', parameters)
    if (E.isRight(answer)) throw new Error(field)
    assert.equal([answer.left.code, ...fieldsOf(answer.left)], ['REQUEST_INVALID', field])
    assert.ok(answer.left.message.includes(field) && answer.left.message.includes(value), answer.left.message)
  }
  right(await w.from(HOME, w.root, 'set_ip_allowlist', { rules: [...many(10), ...many(10)] }))
  await held(w)
})

it('are shown as they are in force: networks once, with the first label, and none after the removal', async () => {
  const w = await far()
  const given = [
    { cidr: '203.0.113.9/24', label: 'office' },
    { cidr: '203.0.113.0/24', label: 'again' },
    { cidr: '2001:DB8::1/64' },
  ]
  right(await w.from(HOME, w.root, 'set_ip_allowlist', { enabled: true, rules: given }))
  const shown = async (members = {}) => {
    const body = Buffer.from(JSON.stringify({ organizationId: w.organizationId, ...members }))
    return right(await w.engine.query('get_ip_allowlist', { ...stamped(w.root, body), address: HOME })()).allowlist
  }
  const createdAt = String(w.clock.now())
  const { organizationId } = w
  assert.equal(await shown(), {
    organizationId,
    publicKey: null,
    rules: [
      { cidr: NEAR_HOME, label: 'office', createdAt },
      { cidr: '2001:db8::/64', label: '', createdAt },
    ],
    onEvaluationError: 'DENY',
    enabled: true,
  })
  const { publicKey } = w.root.key
  assert.equal(await shown({ publicKey: publicKey.toUpperCase() }), {
    organizationId,
    publicKey,
    rules: [],
    onEvaluationError: 'DENY',
  })
  right(await w.from(HOME, w.root, 'remove_ip_allowlist', {}))
  assert.equal(await shown(), { organizationId, publicKey: null, rules: [], onEvaluationError: 'DENY', enabled: false })
  await held(w)
})

it.run()
