import { users } from '../../../core/organization/users.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { audited, exported, trio, type Trio } from '../audit/logs.ts'
import { codeOf, right, type Person } from '../world/world.ts'

const it = suite('credentials that were deleted')

const HOUR_MS = 60 * 60 * 1000

const withKey = async (
  { approve, done, grace, root }: Trio,
  person: Person,
  expirationSeconds?: string,
): Promise<Person> => {
  const key: SigningKey = generateKey('API_KEY_CURVE_P256')
  const apiKey = { apiKeyName: 'another', publicKey: key.publicKey, curveType: key.curve }
  const apiKeys: Json = [{ ...apiKey, ...(expirationSeconds === undefined ? {} : { expirationSeconds }) }]
  const { result } = right(
    await approve(grace, await done(root, 'create_api_keys', { userId: person.userId, apiKeys })),
  )
  const { apiKeyIds } = result.createApiKeysResult as { readonly apiKeyIds: readonly string[] }
  return { ...person, key, apiKeyId: apiKeyIds[0] ?? '' }
}

const deleteKey = async ({ approve, done, grace, root }: Trio, { userId, apiKeyId }: Person): Promise<void> => {
  right(await approve(grace, await done(root, 'delete_api_keys', { userId, apiKeyIds: [apiKeyId] })))
}

/** An activity of the root that needs three approvals, one of which Ada has given. */
const approvedWith = async (made: Trio, ada: Person) => {
  const { root, grace, done, approve } = made
  const everyone = { threshold: 3, userIds: [root.userId, made.ada.userId, grace.userId] }
  right(await approve(grace, await done(root, 'update_root_quorum', everyone)))
  const open = await done(root, 'create_user_tag', { userTagName: 'transfer', userIds: [] })
  right(await approve(ada, open))
  return open
}

it('no longer approve: the key may have been stolen', async () => {
  const made = await trio()
  const { ada, answer, approve, grace, storage } = made
  const stolen = await withKey(made, ada)
  const open = await approvedWith(made, stolen)
  // The quorum asks for three now: the deletion needs the third approval, too.
  const { root, done } = made
  const deletion = await done(root, 'delete_api_keys', { userId: ada.userId, apiKeyIds: [stolen.apiKeyId] })
  right(await approve(grace, deletion))
  right(await approve(ada, deletion))
  assert.is(right(await approve(grace, open)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const { activity } = await answer(ada, 'get_activity', { activityId: open.id })
  assert.is((activity as { readonly canApprove: boolean }).canApprove, true)
  assert.is(right(await approve(ada, open)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal((await audited(await exported(storage.store))).findings, [])
  await made.close()
})

it('count where they expired or made room for another: a session is short', async () => {
  const made = await trio({ limits: { expiringApiKeys: 1 } })
  const { ada, approve, clock, grace, storage } = made
  const session = await withKey(made, ada, '60')
  const open = await approvedWith(made, session)
  clock.pass(HOUR_MS)
  const { root, done } = made
  const apiKeys: Json = [
    {
      apiKeyName: 'next',
      publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
      curveType: 'API_KEY_CURVE_P256',
      expirationSeconds: '60',
    },
  ]
  const next = await done(root, 'create_api_keys', { userId: ada.userId, apiKeys })
  right(await approve(grace, next))
  right(await approve(ada, next))
  assert.is(right(await approve(grace, open)).status, 'ACTIVITY_STATUS_COMPLETED')
  const limits = [{ limits: { expiringApiKeys: 1 } }]
  assert.equal((await audited(await exported(storage.store), { limits })).findings, [])
  await made.close()
})

it('are remembered for as long as an approval counts, and no longer', async () => {
  const made = await trio()
  const { ada, clock, engine, organizationId } = made
  const remembered = async (): Promise<readonly string[]> => {
    const { state } = right(await engine.replayOrganization(organizationId)())
    return [...(users.of(state).get(ada.userId)?.deletedCredentials.keys() ?? [])]
  }
  const [first, second, third] = [await withKey(made, ada), await withKey(made, ada), await withKey(made, ada)]
  await deleteKey(made, first)
  clock.pass(24 * HOUR_MS - 1)
  await deleteKey(made, second)
  assert.equal(await remembered(), [first.apiKeyId, second.apiKeyId])
  clock.pass(1)
  await deleteKey(made, third)
  assert.equal(await remembered(), [second.apiKeyId, third.apiKeyId])
  await made.close()
})

it('that expire make none that live longer, without a policy', async () => {
  const made = await trio()
  const { ada, submit } = made
  const session = await withKey(made, ada, '3600')
  const ask = (expirationSeconds?: string) => {
    const apiKey = {
      apiKeyName: 'mine',
      publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
      curveType: 'API_KEY_CURVE_P256',
    }
    const apiKeys: Json = [{ ...apiKey, ...(expirationSeconds === undefined ? {} : { expirationSeconds }) }]
    return ['create_api_keys', { userId: ada.userId, apiKeys }] as const
  }
  const outsider = { ...session }
  const { root, done, approve, grace } = made
  right(await approve(grace, await done(root, 'update_root_quorum', { threshold: 1, userIds: [root.userId] })))
  assert.is(codeOf(await submit(outsider, ...ask())), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await submit(outsider, ...ask('7200'))), 'REQUEST_NOT_AUTHORIZED')
  assert.is(right(await submit(outsider, ...ask('3000'))).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(right(await submit(ada, ...ask())).status, 'ACTIVITY_STATUS_COMPLETED')
  await made.close()
})

it.run()
