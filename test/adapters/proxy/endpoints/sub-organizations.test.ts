import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Call } from '../../../../adapters/proxy/endpoint.ts'
import { account } from '../../../../adapters/proxy/endpoints/account.ts'
import { mustBeBelow, oldestOf } from '../../../../adapters/proxy/endpoints/sub-organizations.ts'
import { failureOf } from '../../../../core/countersign-error.ts'
import { refuse } from '../../../../core/definition/refuse.ts'
import type { JsonObject } from '../../../../core/codec/codec.ts'
import type { Json } from '../../../../core/failure.ts'

const it = suite('what endpoints of the proxy ask of the API')

/** A call to an API that answers queries so. */
const callTo = (query: Call['query']): Call => ({
  config: {
    configId: 'top',
    organizationId: 'top',
    organizationName: 'Shop',
    isEnabled: true,
    allowedOrigins: ['*'],
    verificationTokenRequiredForGetAccountPii: true,
  },
  address: null,
  atMs: 0,
  submit: () => Promise.reject(new Error('expected no activity')),
  query,
})

/** An API with so many organizations below, newest first. */
const withBelow = (count: number) => {
  const asked: JsonObject[] = []
  const call = callTo(async (_, body) => {
    asked.push(body)
    const { limit, before = String(count) } = body['paginationOptions'] as {
      readonly limit: string
      readonly before?: string
    } // as it was sent
    const first = Number(before) - 1
    const organizationIds = Array.from({ length: Math.min(Number(limit), first + 1) }, (_one, at) => String(first - at))
    return { organizationIds }
  })
  return { asked, call }
}

const listing = { path: 'list_suborgs', filterType: 'NAME', filterValue: 'Shop' } as const

const codeOf = (asked: Promise<Json | string | undefined | void>): Promise<string | undefined> =>
  asked.then(
    () => undefined,
    (error: unknown) => failureOf(error)?.code,
  )

it('find the oldest of a list page by page, and make nobody wait for a very long one', async () => {
  for (const [count, pages] of [
    [0, 1],
    [1, 1],
    [100, 2],
    [250, 3],
    [999, 10],
  ] as const) {
    const { asked, call } = withBelow(count)
    assert.is(await oldestOf(listing, call), count === 0 ? undefined : '0')
    assert.is(asked.length, pages)
  }
  const { asked, call } = withBelow(5_000)
  assert.is(await codeOf(oldestOf(listing, call)), 'CREDENTIAL_CONFLICT')
  assert.is(asked.length, 10)
})

it('pass on that the API is in trouble, and take no such answer for a refusal', async () => {
  for (const code of ['UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'] as const) {
    const call = callTo(() => Promise.reject(refuse(code, 'try again')))
    assert.is(await codeOf(mustBeBelow('below', call)), code)
    const asked = { filterType: 'EMAIL', filterValue: 'ada@example.com', verificationToken: 'token' } as const
    assert.is(await codeOf(account.answer(asked, call)), code)
  }
})

it('refuse an answer of the API that they do not understand', async () => {
  const call = callTo(async () => ({ organizationIds: 'none' }))
  assert.is(await codeOf(oldestOf(listing, call)), 'UNAVAILABLE')
})

it.run()
