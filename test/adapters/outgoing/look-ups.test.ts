import { createServer } from 'node:https'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeOutgoing } from '../../../adapters/outgoing/node-outgoing.ts'
import { lookupByDns } from '../../../adapters/outgoing/vetted-addresses.ts'
import { testClock } from '../../core/world/world.ts'
import { certificateOf } from '../../certificate-of.ts'
import { internet, listening } from './internet.ts'
import { nameServer } from './name-server.ts'
import { asked, unanswered } from './posted.ts'

const it = suite('look-ups of outgoing requests')

const PUBLIC = '93.184.215.14'
const PUBLIC_6 = '2606:2800:220:1::ff'

it('give the addresses of both families, while many names wait for their servers', () => {
  let silent = 0
  const addressesOf = (name: string, family: 4 | 6) => {
    if (!name.startsWith('slow')) return [family === 4 ? PUBLIC : PUBLIC_6]
    silent += 1
    return undefined
  }
  return nameServer(addressesOf, async (place) => {
    const ends = Array.from({ length: 64 }, () => new AbortController())
    const lookup = lookupByDns([place])
    const slow = ends.map(({ signal }, n) => lookup(`slow-${n}.example.com`, signal))
    while (silent < 2 * slow.length) assert.equal(await lookup('good.example.com'), [PUBLIC, PUBLIC_6])
    for (const end of ends) end.abort()
    assert.equal((await Promise.all(slow)).flat(), [])
  })
})

it('are made once for each request: a name that turns private when it was vetted leads nowhere else', () => {
  const made = certificateOf(['turning.test'])
  const answers = [[PUBLIC], [], ['127.0.0.1'], ['::1']]
  const names: string[] = []
  const addressesOf = (name: string) => {
    names.push(name)
    return answers.shift() ?? ['127.0.0.1']
  }
  return internet(({ tried, lead }) =>
    nameServer(addressesOf, (place) =>
      listening(
        createServer(made, (_, response) => void response.end('{}')),
        async ({ port, connections }) => {
          lead(`${PUBLIC} 443`, { port })
          const outgoing = nodeOutgoing({ clock: testClock(), lookup: lookupByDns([place]), ca: made.cert })
          const url = 'https://turning.test/keys'
          assert.is((await outgoing.ask(asked(url)))._tag, 'answered')
          assert.equal(names, Array(2).fill('turning.test'))
          assert.equal(await outgoing.ask(asked(url)), unanswered('refused'))
          assert.equal(tried, [`${PUBLIC} 443`])
          assert.is(connections.length, 1)
        },
      ),
    ),
  )
})

it('refuse a name that is public in one family and private in the other', () =>
  internet(({ tried }) =>
    nameServer(
      (_, family) => [family === 4 ? PUBLIC : 'fd00::1'],
      async (place) => {
        const outgoing = nodeOutgoing({ clock: testClock(), lookup: lookupByDns([place]) })
        assert.equal(await outgoing.ask(asked('https://mixed.test/')), unanswered('refused'))
        assert.equal(tried, [])
      },
    ),
  ))

it.run()
