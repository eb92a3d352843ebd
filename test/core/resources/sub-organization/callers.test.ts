import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Failure, Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { codeOf, placeIn, right, type Place, type Signer } from '../../world/world.ts'
import { operationExamples, operations, queries } from '../all-examples.ts'
import { NOBODY } from '../example.ts'
import { doorOf, play } from '../scene.ts'
import { childOf, family } from './children.ts'

const it = suite('who may ask what in an organization below another one')

const VOTES = ['approve_activity', 'reject_activity']
/** The deletion comes last: behind it nothing else is answered. */
const paths = [...operations.map(({ path }) => path), ...VOTES].toSorted(
  (a, b) => Number(a === 'delete_sub_organization') - Number(b === 'delete_sub_organization'),
)
const ONLY_ON_TOP = [
  'create_oauth2_credential',
  'create_session_profile',
  'create_sub_organization',
  'delete_oauth2_credential',
  'delete_organization',
  'disable_auth_proxy',
  'enable_auth_proxy',
  'remove_ip_allowlist',
  'set_ip_allowlist',
  'update_auth_proxy_config',
  'update_oauth2_credential',
]

/** How the door answers to everything: with the codes, each once. */
const answers = async (place: Place, caller: Signer) => {
  const submitted = new Map<string, string>()
  const asked = new Map<string, string>()
  const parameters: Json = { fingerprint: `sha256:${'0'.repeat(64)}` } // what a vote needs; others refuse it, behind the door
  for (const { path } of queries) asked.set(path, codeOf(await place.ask(caller, path, { activityId: NOBODY })))
  for (const path of paths) submitted.set(path, codeOf(await place.submit(caller, path, parameters)))
  return { submitted, asked, codes: [...new Set([...submitted.values(), ...asked.values()])] }
}
const STRANGERS = ['PUBLIC_KEY_NOT_FOUND']
const AT_THE_DOOR = [...STRANGERS, 'ORGANIZATION_NOT_FOUND', 'ORGANIZATION_MISMATCH']

/** What users of the parent may submit, in the order of the catalogue. */
const OWN_OR_PARENT = [
  'email_auth',
  'init_user_email_recovery',
  'oauth_login',
  'oauth',
  'create_oauth_providers',
  'otp_login',
  'init_otp_auth',
  'otp_auth',
  'erase_user',
]

it('its own users: everything; its parent’s: queries, and what allows it; siblings and strangers: nothing', async () => {
  const w = await family()
  const [child, sibling] = [await childOf(w), await childOf(w, 'sam')]
  const own = await answers(sibling, sibling.root) // it deletes it at the end
  assert.equal(
    own.codes.filter((code) => AT_THE_DOOR.includes(code)),
    [],
  )
  const parents = await answers(child, w.root)
  assert.equal(
    [...parents.asked.values()].filter((code) => AT_THE_DOOR.includes(code)),
    [],
  )
  const isRefused = (path: string): boolean => parents.submitted.get(path) === 'ORGANIZATION_MISMATCH'
  assert.equal(
    paths.filter((path) => !isRefused(path)),
    OWN_OR_PARENT,
  )
  assert.equal((await answers(child, (await childOf(w, 'sue')).root)).codes, STRANGERS)
  assert.equal((await answers(child, { key: generateKey() })).codes, STRANGERS)
  const above = await answers(w, child.root)
  assert.equal(
    [...above.asked].filter(([, code]) => code === 'no failure'),
    [['whoami', 'no failure']],
  )
  above.asked.delete('whoami')
  for (const path of ['get_activity', 'get_mfa_status']) {
    assert.is(above.asked.get(path), 'ACTIVITY_NOT_FOUND')
    above.asked.delete(path)
  }
  // All find the one below by the credential.
  assert.is(above.submitted.get('stamp_login'), 'REQUEST_INVALID')
  above.submitted.delete('stamp_login')
  assert.equal([...new Set([...above.submitted.values(), ...above.asked.values()])], STRANGERS)
  await w.close()
})

it('when it was deleted: nothing, as if it had never been; its parent’s users may have data in it erased', async () => {
  const w = await family()
  const [child, sibling] = [await childOf(w), await childOf(w, 'sam')]
  const nowhere = placeIn(w, NOBODY, w.root)
  await child.done(child.root, 'delete_sub_organization', {})
  const callers = [child.root, sibling.root, { key: generateKey() }]
  for (const caller of callers) assert.equal((await answers(child, caller)).codes, ['ORGANIZATION_NOT_FOUND'])
  const parents = await answers(child, w.root)
  assert.equal([...new Set(parents.asked.values())], ['ORGANIZATION_NOT_FOUND'])
  assert.equal(
    paths.filter((path) => parents.submitted.get(path) !== 'ORGANIZATION_NOT_FOUND'),
    ['erase_user'],
  )
  const messages = async (place: Place): Promise<readonly unknown[]> =>
    Promise.all(
      [w.root, ...callers].map(async (caller) =>
        (left(await place.ask(caller, 'whoami')) ?? { message: '' }).message.replaceAll(place.organizationId, '<id>'),
      ),
    )
  assert.equal(await messages(child), await messages(nowhere))
  await w.close()
})

const left = <A>(answer: E.Either<Failure, A>): Failure | undefined => (E.isLeft(answer) ? answer.left : undefined)

it('all operations are done in it as anywhere, except those for the organization on top', async () => {
  const w = await family()
  const child = await childOf(w)
  const door = doorOf(child, (await child.enrol('ada')).userId)
  const refused: string[] = []
  for (const example of operationExamples)
    await play(door, example, example.operation.type).catch((error: unknown) => {
      assert.match(String(error), /INVALID_ACTIVITY_CALLER/, example.operation.path)
      refused.push(example.operation.path)
    })
  const played = operationExamples.map(({ operation }) => operation.path)
  assert.equal(
    refused.toSorted(),
    ONLY_ON_TOP.filter((path) => played.includes(path)),
  )
  assert.is(
    codeOf(await child.submit(child.root, 'delete_organization', { organizationId: child.organizationId })),
    'INVALID_ACTIVITY_CALLER',
  )
  await w.close()
})

it('a key that both have speaks for its user, and in the parent for that of the parent', async () => {
  const w = await family()
  const child = await childOf(w)
  const both = await child.enrol('both', [], { key: w.root.key })
  const asked = async (place: Place) => right(await place.ask(both, 'whoami'))['userId']
  assert.equal([await asked(child), await asked(w)], [both.userId, w.root.userId])
  assert.is(
    codeOf(await child.submit(both, 'update_user_name', { userId: both.userId, userName: 'me' })),
    'REQUEST_NOT_AUTHORIZED',
  )
  await child.done(child.root, 'delete_users', { userIds: [both.userId] })
  assert.is(await asked(child), w.root.userId)
  await w.close()
})

it('a user of the parent is told as one of the parent, with keys of their own', async () => {
  const w = await family()
  const child = await childOf(w)
  assert.equal(await child.answer(w.root, 'whoami'), await w.answer(w.root, 'whoami'))
  assert.equal(await child.answer(w.root, 'get_api_keys'), await w.answer(w.root, 'get_api_keys'))
  const { users } = await child.answer(w.root, 'list_users')
  assert.equal(
    (users as readonly { readonly userId: string }[]).map(({ userId }) => userId),
    [child.root.userId],
  )
  const key = w.root.key.publicKey
  assert.equal(
    left(await child.ask({ key: generateKey() }, 'whoami'))?.message.split(' organizationId=')[0], // prettier-ignore
    'could not find public key in organization or its parent organization',
  )
  const refused = left(await child.submit(w.root, 'create_user_tag', { userTagName: 'a', userIds: [] }))
  assert.is(refused?.code, 'ORGANIZATION_MISMATCH')
  assert.ok(!JSON.stringify(refused).includes(key))
  await w.close()
})

it.run()
