import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import * as t from '../../../../core/codec/t.ts'
import { operation } from '../../../../core/definition/operation.ts'
import { resource } from '../../../../core/definition/resource.ts'
import { Issued } from '../../../../core/organization/issued-key.ts'
import { users } from '../../../../core/organization/users.ts'
import { ballots } from '../../../../core/deciding/ballot.ts'
import { E } from '../../../../core/prelude.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { evolveIssued, IssuedKey, issueKey } from '../../../../core/resources/session/issued-keys.ts'
import { audited, codesIn, exported } from '../../audit/logs.ts'
import { right, world, type Signer } from '../../world/world.ts'
import { keysOf } from './scene.ts'

const it = suite('issued keys')

/** Issues a key of any kind, as later operations do. */
const issue = operation({
  type: 'ACTIVITY_TYPE_ISSUE_KEY',
  path: 'issue_key',
  summary: 'Issues a key.',
  intent: t.fields({ userId: t.Uuid, publicKey: t.string, issued: Issued }),
  result: t.fields({}),
  change: IssuedKey,
  subjects: ({ userId }) => [userId],
  execute: ({ userId, publicKey, issued }, context) => ({
    result: {},
    change: issueKey(context.find('user', users, userId), { issued, name: issued, publicKey, seconds: 60 }, context),
  }),
  evolve: evolveIssued,
})

/** Those that sessions, codes and recoveries give. Those of an auth proxy: test/core/resources/auth-proxy/callers.test.ts. */
const kinds = (Object.keys(Issued.keys) as t.TypeOf<typeof Issued>[]).filter((kind) => !kind.startsWith('AUTH_PROXY')) // its own keys

const office = async () => {
  const made = await world({ resources: [...publicApi, resource({ name: 'issuing', operations: [issue] })] })
  // Whatever the rules say: a policy that allows all widens no kind of key.
  const policy = { policyName: 'all', effect: 'EFFECT_ALLOW', condition: '', consensus: 'true' }
  await made.done(made.root, 'create_policy', policy)
  const keyOf = async (issued: (typeof kinds)[number]): Promise<Signer> => {
    const key = generateKey('API_KEY_CURVE_P256')
    await made.done(made.root, 'issue_key', { userId: made.root.userId, publicKey: key.publicKey, issued })
    return { key }
  }
  return { ...made, keyOf }
}

const isTooNarrow = (answer: E.Either<{ readonly message: string }, unknown>): boolean =>
  E.isLeft(answer) && answer.left.message.includes('was issued for something else')

it('are shown by how they came about, and to policies', async () => {
  const { keyOf, close, ...place } = await office()
  for (const issued of kinds) {
    const { key } = await keyOf(issued)
    const found = (await keysOf(place, place.root)).find(({ credential }) => credential.publicKey === key.publicKey)
    assert.is(found?.credential.type, `CREDENTIAL_TYPE_${issued}`)
  }
  await close()
})

it('may send everything, but that of a recovery only recovers, and says who its user is', async () => {
  const { engine, keyOf, close, ...place } = await office()
  const submits = [...Object.keys(ballots), ...engine.catalogue.operations.map(({ path }) => path)]
  for (const issued of kinds) {
    const signer = await keyOf(issued)
    const [refused, allowed]: [string[], string[]] = [[], []]
    const note = (path: string, answer: E.Either<{ readonly message: string }, unknown>): void =>
      void (isTooNarrow(answer) ? refused : allowed).push(path)
    for (const path of submits) {
      const parameters = path in ballots ? { fingerprint: 'sha256:1' } : {}
      note(path, await place.submit(signer, path, parameters))
    }
    for (const { path } of engine.queries) note(path, await place.ask(signer, path))
    if (issued === 'RECOVER_USER_KEY_P256') assert.equal(allowed, ['recover_user', 'whoami'])
    else assert.equal(refused, [])
  }
  await close()
})

it('cannot approve an activity by its own body, either, if they are for a recovery', async () => {
  const { keyOf, close, ...place } = await office()
  const ada = await place.enrol('ada')
  const body = place.body('create_user_tag', { userTagName: 'tag', userIds: [] })
  right(await place.send(ada, 'create_user_tag', body))
  assert.ok(isTooNarrow(await place.send(await keyOf('RECOVER_USER_KEY_P256'), 'create_user_tag', body)))
  await close()
})

it('are judged by an audit as by the engine', async () => {
  const { storage, keyOf, close, ...place } = await office()
  for (const issued of kinds.filter((one) => one !== 'RECOVER_USER_KEY_P256'))
    right(await place.submit(await keyOf(issued), 'create_user_tag', { userTagName: issued, userIds: [] }))
  const report = await audited(await exported(storage.store), {}, [issue])
  assert.equal(codesIn(report), [])
  await close()
})

it.run()
