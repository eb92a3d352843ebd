import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureCodes } from '../../core/failure-codes.ts'

const it = suite('the codes of failures')

const rows = Object.entries(failureCodes)

it('have the HTTP status that the standard map gives for their gRPC code, but for what is too large', () => {
  const standard: { readonly [code: number]: number } = {
    1: 499,
    3: 400,
    5: 404,
    6: 409,
    7: 403,
    8: 429,
    9: 400,
    10: 409,
    13: 500,
    14: 503,
    16: 401,
  }
  for (const [code, { http, grpc }] of rows) assert.is(http, code === 'REQUEST_TOO_LARGE' ? 413 : standard[grpc], code)
})

it('tell to come back exactly where waiting helps', () => {
  const told = rows.flatMap(([code, { retryAfterSeconds }]) => (retryAfterSeconds === undefined ? [] : [code]))
  assert.equal(told.toSorted(), ['ORGANIZATION_CLOSED', 'RATE_LIMIT_EXCEEDED', 'STORE_LOCKED', 'UNAVAILABLE'])
})

it.run()
