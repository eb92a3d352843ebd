import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namedIn } from '../../../adapters/cli/open-eventstoredb.ts'
import { Stop } from '../../../adapters/cli/stop.ts'

const it = suite('the prefix in the URL of a store')

it('is taken out, wherever it stands, and everything else stays as it was', () => {
  const text = fc.string().map((any) => any.replace(/[?&]/g, ''))
  const option = text.filter((any) => !/^prefix=/i.test(any))
  fc.assert(
    fc.property(
      text,
      fc.array(option),
      fc.array(option),
      fc.constantFrom('prefix', 'Prefix'),
      text,
      (place, before, after, name, prefix) => {
        const url = `${place}?${[...before, `${name}=${prefix}`, ...after].join('&')}`
        const rest = [...before, ...after].join('&')
        assert.equal(namedIn(url), { connectionString: rest === '' ? place : `${place}?${rest}`, prefix })
      },
    ),
  )
})

it('is not there, and nothing is changed', () => {
  fc.assert(
    fc.property(fc.string(), (url) => {
      if (!/[?&]prefix=/i.test(url)) assert.equal(namedIn(url), { connectionString: url })
    }),
  )
  const host = 'esdb://a:prefix=b@prefix=c:1'
  assert.equal(namedIn(host), { connectionString: host })
})

it('stands there once', () => {
  assert.throws(
    () => namedIn('esdb://a?prefix=b&tls=false&PREFIX=c'),
    (error: unknown) => error instanceof Stop && error.exitCode === 2 && /more than once/.test(error.message),
  )
})

it.run()
