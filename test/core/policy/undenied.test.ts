import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { conditionKeywords } from '../../../core/policy/schema.ts'
import { undeniedBy, type Reach, type SeenOperation } from '../../../core/policy/undenied.ts'

const it = suite('what a policy that denies does not deny')

const seen = (path: string, resource: string, action: string, more: Partial<SeenOperation> = {}): SeenOperation => {
  const kind = path.toUpperCase()
  return {
    path,
    activity: { type: `ACTIVITY_TYPE_${kind}`, kind, resource, action },
    params: new Map(),
    hasFacts: false,
    ...more,
  }
}
const reach: Reach = {
  operations: [
    seen('create_users', 'USER', 'CREATE'),
    seen('delete_users', 'USER', 'DELETE', { params: new Map([['user_ids', false]]) }),
    seen('pay', 'PAYMENT', 'CREATE', { params: new Map([['iban', false], ['memo', true]]) }), // prettier-ignore
    seen('sign', 'PAYMENT', 'SIGN', { params: undefined, hasFacts: true }),
  ],
  keywords: conditionKeywords(),
}
const ofCondition = (condition: string) => undeniedBy({ condition, consensus: '' }, reach)
const ofConsensus = (consensus: string) => undeniedBy({ condition: '', consensus }, reach)
const without = (what: string, ...paths: readonly string[]) => [
  `condition: an activity without ${what} is not denied: ${paths.join(', ')}`,
]
const outOfRange = (...paths: readonly string[]) => [
  `condition: an activity where an index or a part is out of range is not denied: ${paths.join(', ')}`,
]
const USER_IDS = 'activity.params.user_ids'

for (const [condition, expected] of [
  // A parameter that the activity lacks, in reach of the condition.
  [`${USER_IDS}.contains('a')`, without(USER_IDS, 'create_users', 'pay')],
  [`activity.resource == 'USER' && ${USER_IDS}.contains('a')`, without(USER_IDS, 'create_users')],
  [`activity.resource != 'PAYMENT' && ${USER_IDS}.contains('a')`, without(USER_IDS, 'create_users')],
  [`activity.action == 'CREATE' || ${USER_IDS}.contains('a')`, without(USER_IDS, 'create_users', 'pay')],
  [`!(activity.action == 'DELETE' && ${USER_IDS}.contains('a'))`, without(USER_IDS, 'create_users', 'pay')],
  // The condition is false for every operation without it, wherever that stands.
  [`activity.kind == 'DELETE_USERS' && ${USER_IDS}.contains('a')`, []],
  [`${USER_IDS}.contains('a') && activity.type == 'ACTIVITY_TYPE_DELETE_USERS'`, []],
  [`activity.resource == 'USER' && activity.action == 'DELETE' && ${USER_IDS}.contains('a')`, []],
  [`activity.kind in ['DELETE_USERS', 'SIGN'] && ${USER_IDS}.contains('a')`, []],
  [`['DELETE_USERS'].contains(activity.kind) && ${USER_IDS}.contains('a')`, []],
  [`['DELETE_USERS'].any(kind, kind == activity.kind) && ${USER_IDS}.contains('a')`, []],
  [`['DELETE_USERS', 'SIGN'].filter(kind, kind == activity.kind).count() > 0 && ${USER_IDS}.contains('a')`, []],
  [`!(activity.kind != 'DELETE_USERS') && ${USER_IDS}.contains('a')`, []],
  [`!(activity.action == 'CREATE' || !${USER_IDS}.contains('a'))`, []],
  [`activity.kind[0..3] == 'DEL' && ${USER_IDS}.contains('a')`, []],
  ["activity.resource == 'WALLET' && activity.params.anything == 'a'", []],
  // A parameter that may be absent.
  ["activity.kind == 'PAY' && activity.params.memo == 'a'", without('activity.params.memo', 'pay')],
  ["activity.kind == 'PAY' && activity.params.iban == 'a'", []],
  ["activity.kind == 'SIGN' && activity.params.memo == 'a'", []], // nobody knows what it shows
  // A keyword that the operation lacks, and a member that may be absent.
  ["wallet.id == 'a'", without('wallet', 'create_users', 'delete_users', 'pay')],
  ["activity.action == 'SIGN' && wallet.id == 'a'", []],
  ["activity.action == 'SIGN' && eth.tx.value > 5", without('eth.tx', 'sign')],
  [
    "activity.action == 'SIGN' && secret.static_properties['a'] == 'b'",
    without("secret.static_properties['a']", 'sign'),
  ],
  ["['a'].any(wallet, wallet == activity.kind)", []], // the variable hides the keyword
  // What may be shorter.
  ["activity.kind == 'PAY' && activity.params.iban[0..2] == 'DE'", outOfRange('pay')],
  [`activity.kind == 'DELETE_USERS' && ${USER_IDS}[0] == 'a'`, outOfRange('delete_users')],
  [`activity.kind == 'DELETE_USERS' && ${USER_IDS}[0..${USER_IDS}.count()].contains('a')`, []],
  [`activity.kind == 'DELETE_USERS' && ${USER_IDS}[0..${USER_IDS}.count].contains('a')`, []],
  ["activity.kind[0] == 'D'", []],
  // Nothing is read, or it is no expression.
  ['', []],
  ['true', []],
  ['false && wallet.id', []],
] as const)
  it(`by a condition: ${condition === '' ? 'none' : condition}`, () => assert.equal(ofCondition(condition), expected))

for (const [consensus, mayErr] of [
  ["approvers[0].id == 'a'", false],
  ["approvers[1].id == 'a'", true],
  ["approvers.count() >= 2 && approvers[1].id == 'a'", false],
  ["approvers[1..approvers.count()].any(user, user.id == 'a')", false],
  ["approvers[0..2].any(user, user.id == 'a')", true],
  ["approvers.any(user, user.tags[0] == 'a')", true],
  ["approvers.any(user, user.email[0..4] == 'root')", true],
  ["approvers.any(user, user.id[0..8] == '0b533bf2')", false],
  ["approvers.any(user, user.tags.contains('a')) || credentials.all(key, key.public_key[0..2] == '02')", false],
] as const)
  it(`by a consensus: ${consensus}`, () =>
    assert.equal(
      ofConsensus(consensus),
      mayErr ? ['consensus: an activity where an index or a part is out of range is not denied'] : [],
    ))

it('names at most some operations, with the number of the others', () => {
  const operations = Array.from({ length: 40 }, (_, n) => seen(`operation_${n}`, 'USER', 'CREATE'))
  assert.equal(undeniedBy({ condition: "wallet.id == 'a'", consensus: '' }, { ...reach, operations }), [
    'condition: an activity without wallet is not denied: operation_0, operation_1, operation_2 and 37 more',
  ])
})

it('is not looked for longer than others can wait, and never wrong for that', () => {
  const numbers = `[${Array.from({ length: 1_000 }, (_, n) => n).join()}]`
  const long = `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a == b && c == b && activity.params.x == 'a')))`
  assert.equal(ofCondition(long), [])
  const many = Array.from({ length: 500 }, (_, n) => `activity.params.a${n}${'x'.repeat(200)} == 'x'`)
  const found = ofCondition(many.join(' || '))
  assert.ok(found.length <= 20 && found.every((warning) => warning.length < 240))
})

it('takes any text', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (condition, consensus) =>
    undeniedBy({ condition, consensus }, reach).length >= 0,
  )) // prettier-ignore
})

it.run()
