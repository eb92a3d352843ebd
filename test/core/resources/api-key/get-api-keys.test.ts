import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { getApiKey } from '../../../../core/resources/api-key/get-api-key.ts'
import { getApiKeys } from '../../../../core/resources/api-key/get-api-keys.ts'
import { ADAS_KEY, anyOrganization, GRACE, GRACES_KEY, NOBODY } from '../execute.ts'
import { answer, refusal } from '../ask.ts'

const it = suite('get api keys')

const idsOf = (apiKeys: Json | undefined) =>
  (apiKeys as readonly { readonly apiKeyId: string }[]).map((key) => key.apiKeyId) // by the view

it('lists the keys of a user', async () => {
  const { apiKeys } = await answer(getApiKeys, anyOrganization().state, { userId: GRACE })
  assert.equal(idsOf(apiKeys), [GRACES_KEY])
})

it("lists the caller's keys where no user is named", async () => {
  assert.equal(idsOf((await answer(getApiKeys, anyOrganization().state)).apiKeys), [ADAS_KEY])
  assert.equal(idsOf((await answer(getApiKeys, anyOrganization().state, { userId: null })).apiKeys), [ADAS_KEY])
})

it('shows one key of any user', async () => {
  const { apiKey } = await answer(getApiKey, anyOrganization().state, { apiKeyId: GRACES_KEY })
  assert.equal(idsOf([apiKey ?? null]), [GRACES_KEY])
})

it('finds no user and no key that is not there', async () => {
  assert.is((await refusal(getApiKeys, anyOrganization().state, { userId: NOBODY })).code, 'RESOURCE_NOT_FOUND')
  assert.is((await refusal(getApiKey, anyOrganization().state, { apiKeyId: NOBODY })).code, 'RESOURCE_NOT_FOUND')
})

it.run()
