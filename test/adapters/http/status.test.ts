import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpStatus, retryAfterSeconds } from '../../../adapters/http/status.ts'
import { FailureCode } from '../../../core/failure.ts'
import { grpcCode } from '../../../core/query/failure-view.ts'

const it = suite('the status of a failure')

const codes = Object.keys(FailureCode.keys) as readonly FailureCode[] // the keys are the codes

it('is what the standard map gives for its gRPC code, but for what is too large', () => {
  const standard: { readonly [code: number]: number } = {
    1: 499,
    3: 400,
    5: 404,
    7: 403,
    8: 429,
    10: 409,
    13: 500,
    14: 503,
    16: 401,
  }
  for (const code of codes)
    assert.is(httpStatus[code], code === 'REQUEST_TOO_LARGE' ? 413 : standard[grpcCode[code]], code)
})

it('tells to come back exactly where waiting helps', () => {
  const told = codes.filter((code) => retryAfterSeconds[code] !== undefined)
  assert.equal(told.toSorted(), ['ORGANIZATION_CLOSED', 'RATE_LIMIT_EXCEEDED', 'STORE_LOCKED', 'UNAVAILABLE'])
})

it.run()
