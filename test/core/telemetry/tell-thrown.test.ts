import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Notice } from '../../../core/ports/notice.ts'
import { operatorOf } from '../../../core/telemetry/operator.ts'
import { describeThrown } from '../../../core/telemetry/tell-thrown.ts'
import { testClock } from '../world/world.ts'

const it = suite('what is told of an error')

it('has the code of the system, also if it is that of a cause, and never the message', () => {
  const refused = Object.assign(new Error('connect to secret.example'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const described = describeThrown(new TypeError('fetch failed for secret', { cause: refused }))
  assert.equal([described.thrown, described['code']], ['TypeError', 'ECONNREFUSED'])
  assert.not.match(JSON.stringify(described), 'secret')
})

it('has no code of another form, because a host may put anything there', () => {
  for (const code of ['secret', 'Bearer x', 'E secret', 42, undefined, 'E'.repeat(100), { toString: () => 'EPIPE' }])
    assert.is(describeThrown(Object.assign(new Error('no'), { code }))['code'], undefined)
  const throwing = Object.defineProperty(new Error('no'), 'code', {
    get: () => {
      throw new Error('secret')
    },
  })
  assert.is(describeThrown(throwing)['code'], undefined)
  const endless = new Error('no')
  endless.cause = endless
  assert.is(describeThrown(endless)['code'], undefined)
})

it('is told once for each place where it is thrown, and then counted', () => {
  const clock = testClock()
  const notices: Notice[] = []
  const { tell, close } = operatorOf(clock, (notice) => void notices.push(notice))
  const here = (): Error => new Error('one')
  const there = (): Error => new Error('two')
  for (let n = 0; n < 100; n += 1) tell(`request ${n}`, here(), { requestId: `${n}` })
  for (let n = 0; n < 100; n += 1) tell('another', there())
  assert.equal(
    notices.map(({ message, context }) => [message, context?.['requestId']]),
    [
      ['request 0 threw', '0'],
      ['another threw', undefined],
    ],
  )
  clock.pass(60_000)
  assert.equal(
    notices.slice(2).map(({ message, context }) => [message, context?.['requestId'], context?.['times']]),
    [
      ['still: request 99 threw', '99', 99],
      ['still: another threw', undefined, 99],
    ],
  )
  close()
})

it.run()
