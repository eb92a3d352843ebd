import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEngine } from '../../adapters/fp.ts'
import { organizationRequest } from '../../adapters/organization-request.ts'
import { generateKey } from '../../adapters/signatures/signer.ts'
import { stampedRequest } from '../../adapters/signatures/stamped-request.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'
import { right } from '../core/world/world.ts'

const it = suite('organizationRequest')

for (const curve of ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1', 'API_KEY_CURVE_ED25519'] as const) {
  it(`begins an organization whose root user has a key on ${curve}`, async () => {
    const engine = await createEngine({ store: memoryStore() })
    const key = generateKey(curve)
    const begun = right(
      await engine.createOrganization(organizationRequest({ name: 'Treasury', userName: 'Ada', key }))(),
    )
    const { organizationId } = begun.activity
    const asked = right(await engine.query('whoami', stampedRequest(key, { organizationId }))())
    assert.equal([asked['organizationName'], asked['username']], ['Treasury', 'Ada'])
    await engine.close()
  })
}

it('is the same organization when it is submitted again', async () => {
  const engine = await createEngine({ store: memoryStore() })
  const request = organizationRequest({ name: 'Treasury', key: generateKey('API_KEY_CURVE_P256') })
  const [first, second] = [await engine.createOrganization(request)(), await engine.createOrganization(request)()]
  assert.is(right(first).genesisHash, right(second).genesisHash)
  await engine.close()
})

it('is told apart by its organization id and time', () => {
  const key = generateKey('API_KEY_CURVE_P256')
  const organizationId = '00000000-0000-4000-8000-000000000000'
  const of = (timestampMs: number) => organizationRequest({ name: 'a', key, organizationId, timestampMs }).body
  assert.equal(of(1), of(1))
  assert.not.equal(of(1), of(2))
})

it.run()
