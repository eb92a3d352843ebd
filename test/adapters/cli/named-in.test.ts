import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namedIn } from '../../../adapters/cli/open-eventstoredb.ts'
import { Stop } from '../../../adapters/cli/stop.ts'

const it = suite('the options of ours in the URL of a store')

it('are taken out, wherever they stand, and everything else stays as it was', () => {
  const text = fc.string().map((any) => any.replace(/[?&]/g, ''))
  const option = text.filter((any) => !/^(?:prefix|linearizableReads|links)=/i.test(any))
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

it('are not there, and nothing is changed', () => {
  fc.assert(
    fc.property(fc.string(), (url) => {
      if (!/[?&](?:prefix|linearizableReads|links)=/i.test(url)) assert.equal(namedIn(url), { connectionString: url })
    }),
  )
  const host = 'esdb://a:prefix=b@prefix=c:1'
  assert.equal(namedIn(host), { connectionString: host })
})

it('say whether reads are linearizable, and whether links are written', () => {
  const connectionString = 'esdb://a?tls=false'
  for (const name of ['linearizableReads', 'links'])
    for (const isOn of [true, false])
      assert.equal(namedIn(`esdb://a?${name}=${isOn}&tls=false&prefix=b`), {
        ...{ connectionString, prefix: 'b', [name]: isOn },
      })
  assert.equal(namedIn('esdb://a?tls=false&Links=true'), { connectionString, links: true })
})

it('stand there once, and have a meaning', () => {
  for (const [url, reason] of [
    ['esdb://a?prefix=b&tls=false&PREFIX=c', /prefix stands in it more than once/],
    ['esdb://a?linearizableReads=true&linearizableReads=true', /linearizableReads stands in it more than once/],
    ['esdb://a?linearizableReads=hunter2', /linearizableReads is true or false/],
    ['esdb://a?links=true&links=false', /links stands in it more than once/],
    ['esdb://a?links=hunter2', /links is true or false/],
  ] as const)
    assert.throws(
      () => namedIn(url),
      (error: unknown) =>
        error instanceof Stop && error.exitCode === 2 && reason.test(error.message) && !/hunter2/.test(error.message),
    )
})

it.run()
