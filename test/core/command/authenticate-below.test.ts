import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { childOf, family } from '../resources/sub-organization/children.ts'
import { anyPasskey, paramsOf } from '../world/software-passkey.ts'
import { codeOf, right, stamped, type Place, type Signer } from '../world/world.ts'

const it = suite('asking an organization who one below it is')

const messageOf = <A>(answer: E.Either<Failure, A>): string => (E.isLeft(answer) ? answer.left.message : '')
const newKey = (key: Signer['key']): Json => ({ apiKeyName: 'another', publicKey: key.publicKey, curveType: key.curve })
const register = (place: Place, key: Signer['key']) =>
  place.done(place.root, 'create_api_keys', { userId: place.root.userId, apiKeys: [newKey(key)] })

it('is answered as that one would answer, if only one has the credential', async () => {
  const w = await family()
  const [first, second] = [await childOf(w), await childOf(w, 'sam')]
  for (const child of [first, second])
    assert.equal(await w.answer(child.root, 'whoami'), await child.answer(child.root, 'whoami'))
  assert.is((await w.answer(w.root, 'whoami'))['organizationId'], w.organizationId)
  const passkey = anyPasskey()
  const { userId } = second.root
  await second.done(second.root, 'create_authenticators', { userId, authenticators: [paramsOf(passkey)] })
  assert.is((await w.answer({ key: w.root.key, passkey }, 'whoami'))['userId'], userId)
  await w.close()
})

it('is refused if several have it, until only one is left', async () => {
  const w = await family()
  const [first, second] = [await childOf(w), await childOf(w, 'sam')]
  await register(second, first.root.key)
  const conflict = await w.ask(first.root, 'whoami')
  assert.equal([codeOf(conflict), messageOf(conflict)], [
    'CREDENTIAL_CONFLICT',
    'more than one suborg associated with a public key',
  ]) // prettier-ignore
  await first.done(first.root, 'delete_sub_organization', {})
  assert.is((await w.answer(first.root, 'whoami'))['organizationId'], second.organizationId)
  await w.close()
})

it('is refused as ever if none has it, or it is the key of somebody else', async () => {
  const w = await family()
  const child = await childOf(w)
  const nobody = { key: generateKey('API_KEY_CURVE_P256') }
  const refused = await w.ask(nobody, 'whoami')
  const name = `organizationId=${w.organizationId} publicKey=${nobody.key.publicKey}`
  assert.is(messageOf(refused), `could not find public key in organization ${name}`)
  // With a signature over something else: the refusal does not tell that one below has the key.
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  const forged = { ...stamped(child.root, new TextEncoder().encode('{}')), body }
  const answer = await w.engine.query('whoami', forged)()
  assert.equal([codeOf(answer), messageOf(answer).includes(child.organizationId)], ['PUBLIC_KEY_NOT_FOUND', false])
  await w.close()
})

it('is not for one beside it, nor for other queries', async () => {
  const w = await family()
  const [child, sibling] = [await childOf(w), await childOf(w, 'sam')]
  assert.is(codeOf(await sibling.ask(child.root, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  for (const path of ['list_users', 'get_organization', 'list_suborgs'])
    assert.is(codeOf(await w.ask(child.root, path)), 'PUBLIC_KEY_NOT_FOUND', path)
  right(await w.ask(child.root, 'whoami'))
  await w.close()
})

it('counts no key that was deleted or has expired', async () => {
  const w = await family()
  const child = await childOf(w)
  const key = generateKey('API_KEY_CURVE_P256')
  const { userId } = child.root
  const made = await child.done(child.root, 'create_api_keys', {
    userId,
    apiKeys: [{ ...(newKey(key) as object), expirationSeconds: '900' }],
  })
  right(await w.ask({ key }, 'whoami'))
  w.clock.pass(901_000)
  assert.is(codeOf(await w.ask({ key }, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  const { apiKeyIds } = made.result['createApiKeysResult'] as { readonly apiKeyIds: readonly string[] }
  await child.done(child.root, 'delete_api_keys', { userId, apiKeyIds: [...apiKeyIds] })
  assert.is(codeOf(await w.ask({ key }, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

it.run()
