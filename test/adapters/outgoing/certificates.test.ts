import { createServer } from 'node:https'
import { createServer as plain } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeOutgoing } from '../../../adapters/outgoing/node-outgoing.ts'
import { testClock } from '../../core/world/world.ts'
import { certificateOf, type Made } from '../../certificate-of.ts'
import { internet, listening, type Internet } from './internet.ts'
import { answered, posted, unanswered } from './posted.ts'

const it = suite('certificates of endpoints')

const PUBLIC = '93.184.215.14'
const PUBLIC_6 = '2606:2800:220:1::1'

type Served = Internet & { readonly names: readonly unknown[]; readonly requests: () => number }

/** A host of the internet, which has the certificate. */
const serving = (made: Made, play: (served: Served) => Promise<void>): Promise<void> =>
  internet(async (world) => {
    const names: unknown[] = []
    let requests = 0
    const server = createServer(made, (_, response) => {
      requests += 1
      response.end()
    })
    server.on('secureConnection', (socket) => names.push(socket.servername))
    await listening(server, async ({ port }) => {
      for (const address of [PUBLIC, PUBLIC_6]) for (const at of [443, 8443]) world.lead(`${address} ${at}`, { port })
      await play({ ...world, names, requests: () => requests })
    })
  })

const outgoing = (ca?: string) =>
  nodeOutgoing({ clock: testClock(), lookup: async () => [PUBLIC], ...(ca !== undefined && { ca }) })

it('are right where an authority that is trusted has named the host', () => {
  const made = certificateOf(['hooks.test', '*.wild.test'])
  return serving(made, async ({ tried, names }) => {
    const post = (url: string) => outgoing(made.cert).post(posted(url))
    assert.equal(await post('https://hooks.test/a'), answered(200))
    assert.equal(await post('https://HOOKS.test:8443/a'), answered(200))
    assert.equal(await post('https://a.wild.test/a'), answered(200))
    assert.equal(tried, [`${PUBLIC} 443`, `${PUBLIC} 8443`, `${PUBLIC} 443`])
    assert.equal(names, ['hooks.test', 'hooks.test', 'a.wild.test'])
  })
})

it('are wrong where another host is named, and nothing is sent', () => {
  const made = certificateOf(['hooks.test', 'localhost'])
  return serving(made, async ({ requests }) => {
    for (const host of ['other.test', 'a.hooks.test', PUBLIC, `[${PUBLIC_6}]`])
      assert.equal(await outgoing(made.cert).post(posted(`https://${host}/`)), unanswered('certificate'), host)
    assert.is(requests(), 0)
  })
})

it('are compared with the address where the URL has one', () => {
  const made = certificateOf([PUBLIC, PUBLIC_6])
  return serving(made, async ({ names, tried }) => {
    for (const host of [PUBLIC, `[${PUBLIC_6}]`])
      assert.equal(await outgoing(made.cert).post(posted(`https://${host}/`)), answered(200), host)
    assert.equal(await outgoing(made.cert).post(posted('https://hooks.test/')), unanswered('certificate'))
    assert.equal(tried, [`${PUBLIC} 443`, `${PUBLIC_6} 443`, `${PUBLIC} 443`])
    assert.equal(names.slice(0, 2), [false, false]) // no name is sent
  })
})

it('are wrong where no authority is known, also if the environment asks for none', () => {
  const made = certificateOf(['hooks.test'])
  return serving(made, async ({ requests }) => {
    const url = 'https://hooks.test/'
    assert.equal(await outgoing().post(posted(url)), unanswered('certificate'))
    assert.equal(await outgoing(certificateOf(['hooks.test']).cert).post(posted(url)), unanswered('certificate'))
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      assert.equal(await outgoing().post(posted(url)), unanswered('certificate'))
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
    assert.is(requests(), 0)
  })
})

it('are wrong before and after their time', async () => {
  for (const times of [{ to: '200102000000Z' }, { from: '491231000000Z' }]) {
    const made = certificateOf(['hooks.test'], times)
    await serving(made, async () =>
      assert.equal(await outgoing(made.cert).post(posted('https://hooks.test/')), unanswered('certificate')),
    )
  }
})

it('are not what is wrong where the other side wants one, or does not speak TLS', async () => {
  const made = certificateOf(['hooks.test'])
  const wanting = createServer({ ...made, requestCert: true, rejectUnauthorized: true })
  const talking = plain((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  for (const server of [
    wanting,
    talking,
    plain((socket) => void socket.end()),
    plain((socket) => void socket.resetAndDestroy()),
  ])
    await internet(({ lead }) =>
      listening(server, async ({ port }) => {
        lead(`${PUBLIC} 443`, { port })
        assert.equal(await outgoing(made.cert).post(posted('https://hooks.test/')), unanswered('connection'))
      }),
    )
})

it.run()
