import { decodeUtf8 } from '../../../core/bytes.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReadLimits } from '../../../core/log/decision.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { decodePersonal, personalPart } from '../../../core/log/personal-part.ts'
import { limitsOf } from '../../../core/deciding/trying.ts'
import { defaultLimits } from '../world/with-host.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import { RULES_VERSION } from '../../../core/policy/rules.ts'
import { right, stamped, world, type World } from '../world/world.ts'
import { eventsOf, recordsOf } from './history.ts'

const it = suite('basis of a decision')

/** What the events of the root's last activity say that was read, in their order. */
const readWith = async (
  limits: Limits,
  act: (w: World) => Promise<unknown>,
): Promise<readonly (readonly [type: string, limits: ReadLimits | undefined])[]> => {
  const w = await world({ limits })
  const before = await eventsOf(w)
  await act(w)
  const after = (await eventsOf(w)).slice(before.length)
  await w.close()
  return after.map(({ type, data }) => [type, 'decision' in data ? data.decision.basis.limits : data.limits])
}
const newTag = (w: World): Promise<unknown> => w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })

it('has no limits where what follows in its commit has read them: that names them, be they the usual ones or not', async () => {
  for (const [limits, userTags] of [
    [{}, 100],
    [{ users: 100 }, 100],
    [{ users: 100, userTags: 7 }, 7],
  ] as const)
    assert.equal(await readWith(limits, newTag), [
      ['ActivityCreated', undefined],
      ['ActivityCompleted', { userTags }],
    ])
})

it('has the limits that were read to accept what waits for approvals', async () => {
  const waiting = async (w: World): Promise<void> => {
    const ada = await w.enrol('ada')
    await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
    await newTag(w)
  }
  assert.equal((await readWith({ userTags: 7 }, waiting)).at(-1), ['ActivityCreated', { userTags: 7 }])
})

it('has the limits in the order of their names, and none that was not read', async () => {
  const read = await readWith({ longLivedApiKeys: 3 }, (w) => w.enrol('ada'))
  assert.equal(read, [
    ['ActivityCreated', undefined],
    ['ActivityCompleted', { expiringApiKeys: 10, longLivedApiKeys: 3, users: 100 }],
  ])
  assert.equal(Object.keys(read.at(-1)?.[1] ?? {}), ['expiringApiKeys', 'longLivedApiKeys', 'users'])
  const renamed = await readWith({}, (w) =>
    w.done(w.root, 'update_user', { userId: w.root.userId, userName: 'Root', userTagIds: [] }),
  )
  assert.equal(renamed, [
    ['ActivityCreated', undefined],
    ['ActivityCompleted', undefined],
  ])
})

it('has what was known when it was taken: the rules, the log so far, the time, the credential, where it came from', async () => {
  const w = await world()
  const before = await eventsOf(w)
  const body = w.body('create_user_tag', { userTagName: 'ops', userIds: [] })
  w.clock.pass(5_000)
  right(await w.engine.submit('create_user_tag', { ...stamped(w.root, body), address: '192.0.2.7' })())
  const [record] = (await recordsOf(w)).slice(before.length)
  const created = record && right(decodeEvent(record.line))
  assert.ok(created !== undefined && 'decision' in created.data)
  const [key] = (await w.answer(w.root, 'get_api_keys', { userId: w.root.userId })).apiKeys as readonly {
    readonly apiKeyId: string
  }[]
  assert.equal('decision' in created.data && created.data.decision.basis, {
    rules: RULES_VERSION,
    generation: 1,
    read: [{ organization: w.organizationId, sequence: String(before.length) }],
    at: '2026-01-01T00:00:05.000Z',
    credential: key?.apiKeyId,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    factors: [],
    revision: 1,
  })
  const personal = record?.parts.find(({ name }) => name === personalPart(w.root.userId))
  assert.equal(personal && decodePersonal(personal.bytes), { address: '192.0.2.7' })
  assert.not.match(decodeUtf8(record?.line ?? new Uint8Array()) ?? '', '192.0.2.7')
  await w.close()
})

it('gives the limits under which an activity is concluded: those that its start read, else the usual ones', () => {
  const known = right(catalogue(publicApi))
  const { users, userTags, policies, longLivedApiKeys, expiringApiKeys, authenticators } = defaultLimits
  assert.equal([users, userTags, policies], [100, 100, 100])
  assert.equal([longLivedApiKeys, expiringApiKeys, authenticators], [10, 10, 10])
  assert.equal(limitsOf(known, { limits: undefined }), defaultLimits)
  assert.equal(limitsOf(known, { limits: { users: 8 } }), { ...defaultLimits, users: 8 })
})

it.run()
