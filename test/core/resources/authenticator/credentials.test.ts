import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { isPasskey } from '../../../../core/organization/credential.ts'
import { nameOf } from '../../../../core/organization/credentials.ts'
import { flatten } from '../../../../core/organization/snapshot.ts'
import { statesOf } from '../../world/with-host.ts'
import { right, world, type Person, type World } from '../../world/world.ts'
import { secondProcess } from '../../command/second-process.ts'
import { anyPasskey, paramsOf } from './passkey-world.ts'

const it = suite('keys and passkeys')

const PASSKEYS = Array.from({ length: 4 }, () => anyPasskey())

type Step = { readonly what: 'key' | 'brief key' | 'passkey' | 'less'; readonly who: number; readonly which: number }
const anyStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('key', 'brief key', 'passkey', 'passkey', 'less', 'less'),
  who: fc.nat(1),
  which: fc.nat(7),
})

const stateOf = async ({ engine, organizationId }: World) =>
  right(await engine.replayOrganization(organizationId)()).state

/** Asks for one step. It may be refused. */
const take = async (w: World, persons: readonly Person[], { what, who, which }: Step): Promise<void> => {
  const { userId = '' } = persons[who] ?? {}
  const submit = (path: string, parameters: Json) => w.submit(w.root, path, parameters)
  if (what === 'passkey') {
    const passkey = PASSKEYS[which % PASSKEYS.length]
    if (passkey !== undefined) await submit('create_authenticators', { userId, authenticators: [paramsOf(passkey)] })
    return
  }
  if (what !== 'less') {
    const { publicKey } = generateKey('API_KEY_CURVE_P256')
    const key = { apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }
    const apiKeys = [what === 'key' ? key : { ...key, expirationSeconds: '900' }]
    await submit('create_api_keys', { userId, apiKeys })
    return
  }
  const own = [
    ...(statesOf(await stateOf(w))
      .users.get(userId)
      ?.credentials.values() ?? []),
  ]
  const gone = own[which % Math.max(own.length, 1)]
  if (gone === undefined) return
  const ids = [gone.credentialId]
  if (isPasskey(gone)) await submit('delete_authenticators', { userId, authenticatorIds: ids })
  else await submit('delete_api_keys', { userId, apiKeyIds: ids })
}

const assertSound = async (w: World): Promise<void> => {
  const { users, credentials } = statesOf(await stateOf(w))
  const named: (readonly [string, object])[] = []
  for (const { userId, credentials: own } of users.values()) {
    assert.ok(
      [...own.values()].some((one) => isPasskey(one) || one.expirationSeconds === undefined),
      'somebody has no credential that lasts',
    )
    for (const one of own.values()) {
      const { kind, name } = nameOf(one)
      named.push([`${kind}:${name}`, { userId, credentialId: one.credentialId }])
    }
  }
  const inOrder = (entries: Iterable<readonly [string, object]>) =>
    [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
  assert.equal(inOrder(credentials), inOrder(named))
}

it('leave nobody without one that lasts, stand in the directory, and are the same after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      const w = await world({ snapshotEvery: 5 })
      const persons = [await w.enrol('ada'), await w.enrol('bob')]
      for (const step of steps) {
        await take(w, persons, step)
        await assertSound(w)
      }
      const folded = flatten(await stateOf(w))
      const again = await secondProcess(w)
      assert.equal(flatten(right(await again.replayOrganization(w.organizationId)()).state), folded)
      await again.close()
      await w.close()
    }),
    { numRuns: 12 },
  )
})

it.run()
