import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { anyPasskey, paramsOf } from '../../world/software-passkey.ts'
import { begin, codeOf, right, type Place, type Signer } from '../../world/world.ts'
import { childOf, family } from '../sub-organization/children.ts'
import { keysOf, signIn } from './scene.ts'

const it = suite('stamp_login by who names the parent')

/** As `signIn`, where the body names the parent, and the session is the child's. */
const signInBy = async (parent: Place, child: Place, signer: Signer) => {
  const key = generateKey('API_KEY_CURVE_P256')
  const { organizationId, id } = await parent.done(signer, 'stamp_login', { publicKey: key.publicKey })
  assert.is(organizationId, child.organizationId)
  assert.is((await child.answer({ key }, 'whoami'))['organizationId'], child.organizationId)
  return { id, key }
}

it('begins a session in the one organization below that has the credential', async () => {
  const w = await family()
  const [child, other] = [await childOf(w, 'eve'), await childOf(w, 'olga')]
  const { id, key } = await signInBy(w, child, child.root)
  assert.is((await keysOf(child, child.root)).length, 2)
  assert.is((await keysOf(other, other.root)).length, 1)
  right(await child.ask(child.root, 'get_activity', { activityId: id }))
  assert.is(codeOf(await w.ask(w.root, 'get_activity', { activityId: id })), 'ACTIVITY_NOT_FOUND')
  await signInBy(w, child, { key }) // a session opens the next one
  await w.close()
})

it('finds a passkey, too', async () => {
  const w = await family()
  const child = await childOf(w)
  const passkey = anyPasskey()
  const parameters = { userId: child.root.userId, authenticators: [paramsOf(passkey)] }
  await child.done(child.root, 'create_authenticators', parameters)
  await signInBy(w, child, { ...child.root, passkey })
  await w.close()
})

it('is one activity, however often the same body comes', async () => {
  const w = await family()
  const child = await childOf(w)
  const body = w.body('stamp_login', { publicKey: generateKey('API_KEY_CURVE_P256').publicKey })
  const ids = new Set<string>()
  for (let n = 0; n < 3; n += 1) ids.add(right(await w.send(child.root, 'stamp_login', body)).id)
  assert.is(ids.size, 1)
  assert.is((await keysOf(child, child.root)).length, 2)
  await w.close()
})

it('is refused where several organizations have the credential, and where none has it', async () => {
  const w = await family()
  const [child, other] = [await childOf(w, 'eve'), await childOf(w, 'olga')]
  const { key } = child.root
  const apiKeys = [{ apiKeyName: 'the same', publicKey: key.publicKey, curveType: key.curve }]
  const publicKey = (): string => generateKey('API_KEY_CURVE_P256').publicKey
  const submitted = (signer: Signer) => w.submit(signer, 'stamp_login', { publicKey: publicKey() })
  right(await submitted(child.root))
  await other.done(other.root, 'create_api_keys', { userId: other.root.userId, apiKeys })
  assert.is(codeOf(await submitted(child.root)), 'CREDENTIAL_CONFLICT')
  assert.is(codeOf(await submitted({ key: generateKey() })), 'PUBLIC_KEY_NOT_FOUND')
  const elsewhere = await begin(w)
  assert.is(codeOf(await submitted(elsewhere.root)), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

it('belongs to the user of the parent where the parent has the credential', async () => {
  const w = await family()
  const child = await childOf(w)
  const { key, userId } = w.root
  const apiKeys = [{ apiKeyName: 'that of root', publicKey: key.publicKey, curveType: key.curve }]
  await child.done(child.root, 'create_api_keys', { userId: child.root.userId, apiKeys })
  assert.is((await signIn(w, w.root)).userId, userId)
  await w.close()
})

it('finds nobody for other activities', async () => {
  const w = await family()
  const child = await childOf(w)
  for (const [path, parameters] of [
    ['create_user_tag', { userTagName: 'tag', userIds: [] }],
    ['create_read_only_session', {}],
  ] as const)
    assert.is(codeOf(await w.submit(child.root, path, parameters)), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

it('takes a profile of the parent, whose scope holds in the organization below', async () => {
  const w = await family()
  const child = await childOf(w)
  const scope = "activity.kind == 'CREATE_USER_TAG'"
  const profile = { sessionProfileName: 'tags ~ only?', scope, expirationSeconds: '60' }
  const { result } = await w.done(w.root, 'create_session_profile', profile)
  const { sessionProfileId } = Object.values(result)[0] as { readonly sessionProfileId: string } // as the wire says
  const session = await signIn(child, child.root, { sessionProfileId, expirationSeconds: '600' })
  assert.equal(Object.keys(session.claims).slice(-2), ['session_profile_id', 'scope'])
  assert.equal(
    [session.claims.session_type, session.claims.session_profile_id, session.claims.scope],
    ['tags ~ only?', sessionProfileId, scope],
  )
  assert.match(atob(session.token.split('.')[1] ?? ''), /"tags \\u007e only\\u003f"/)
  const key = (await keysOf(child, session)).find(({ apiKeyId }) => apiKeyId === session.apiKeyId)
  assert.equal([key?.credential.sessionProfileId, key?.expirationSeconds], [sessionProfileId, '60'])
  right(await child.submit(session, 'create_user_tag', { userTagName: 'tag', userIds: [] }))
  const renamed = { userId: child.root.userId, userName: 'eva' }
  assert.is(codeOf(await child.submit(session, 'update_user_name', renamed)), 'REQUEST_NOT_AUTHORIZED')
  right(await child.submit(child.root, 'update_user_name', renamed))
  right(await child.ask(session, 'list_users'))
  await w.close()
})

it.run()
