import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { encodeBase64Url } from '../../../core/bytes.ts'
import { candidatesBelow } from '../../../core/command/candidates-below.ts'
import { resource } from '../../../core/definition/resource.ts'
import { failure } from '../../../core/failure.ts'
import type { CredentialName } from '../../../core/organization/credentials.ts'
import { E } from '../../../core/prelude.ts'
import { runner } from '../../../core/projection/runner.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import {
  createSubOrganization,
  deleteSubOrganization,
} from '../../../core/resources/sub-organization/sub-organization-resource.ts'
import { facetOf } from '../../../core/resources/sub-organization/sub-organization-rows.ts'
import { subOrganizations } from '../../../core/resources/sub-organization/sub-organizations.ts'
import { childOf, family } from '../resources/sub-organization/children.ts'
import { paramsOf, softwarePasskey } from '../world/software-passkey.ts'
import { codeOf, right, stamped, type Place, type World } from '../world/world.ts'
import { secondProcess } from './second-process.ts'

const it = suite('the organizations below that may have a credential')

const pagesIn = async (w: World, parent: Place, name: CredentialName, storage = w.storage) => {
  const running = right(await runner({ storage: w.storage, clock: w.clock }, subOrganizations))
  const ports = { storage, clock: w.clock, runnerOf: () => running }
  const pages: (readonly string[] | string)[] = []
  for await (const page of candidatesBelow(ports, parent.organizationId, {
    first: facetOf(name.kind === 'passkey' ? 'CREDENTIAL_ID' : 'PUBLIC_KEY', name.name),
  }))
    pages.push(E.isLeft(page) ? page.left.message : page.right)
  await running.close()
  return pages
}

const idsOf = (...places: readonly Place[]) => places.map(({ organizationId }) => organizationId)

it('are told newest first, by keys and by passkeys, without those that have ended', async () => {
  const w = await family()
  const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.com' })
  const { publicKey, curve: curveType } = generateKey()
  const children = [await childOf(w), await childOf(w), await childOf(w), await childOf(w)] as const
  for (const child of children.slice(0, 3)) {
    const { userId } = child.root
    await child.done(child.root, 'create_api_keys', { userId, apiKeys: [{ apiKeyName: 'key', publicKey, curveType }] })
  }
  const [first, second, ended, other] = children
  await other.done(other.root, 'create_authenticators', {
    userId: other.root.userId,
    authenticators: [paramsOf(passkey)],
  })
  await ended.done(ended.root, 'delete_sub_organization', {})
  const named = { kind: 'passkey', name: encodeBase64Url(passkey.credentialId) } as const
  assert.equal(await pagesIn(w, w, { kind: 'api-key', name: publicKey }), [idsOf(second, first)])
  assert.equal(await pagesIn(w, w, named), [idsOf(other)])
  assert.equal(await pagesIn(w, w, { ...named, kind: 'api-key' }), [[]])
  assert.equal(await pagesIn(w, first, { kind: 'api-key', name: publicKey }), [[]])
  await w.close()
})

it('are told with a failure at the end where the store cannot say', async () => {
  const w = await family()
  await childOf(w)
  const cause = failure('UNAVAILABLE', 'the store does not answer')
  const [store, readModels] = [{ ...w.storage.store }, { ...w.storage.readModels }]
  const name = { kind: 'api-key', name: w.root.key.publicKey } as const
  for (const storage of [
    { store: { ...store, lastPosition: () => async () => E.left(cause) }, readModels },
    { store, readModels: { ...readModels, rows: () => async () => E.left(cause) } },
  ])
    assert.equal(await pagesIn(w, w, name, storage), [cause.message])
  await w.close()
})

it('are none in an engine that does not keep them', async () => {
  const w = await family()
  const child = await childOf(w)
  const resources = publicApi.filter(({ name }) => name !== 'sub-organizations')
  const engine = await secondProcess(w, { resources: [...resources, knownBeginnings] })
  const bytes = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  assert.is(codeOf(await engine.query('whoami', stamped(child.root, bytes))()), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

/** It can read what is begun, and begins nothing. */
const knownBeginnings = resource({ name: 'known', unrouted: [createSubOrganization, deleteSubOrganization] })

it.run()
