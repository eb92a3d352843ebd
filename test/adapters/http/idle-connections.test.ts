import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../until.ts'
import { fakeEngine } from './fake-engine.ts'
import { dial, post, serving } from './transport.ts'

const it = suite('a thousand connections that say nothing')

const SUBMIT = '/public/v1/submit/create_users'
const HALF = `POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{"half":`

/** What each of them says before it falls silent. */
const openings: readonly (readonly [string, string])[] = [
  ['nothing at all', ''],
  ['half a header', `POST ${SUBMIT} HTTP/1.1\r\nHost: te`],
  ['half a body', HALF],
  ['a whole request, then nothing', post(SUBMIT)],
]

const crowd = async (url: string, opening: string): Promise<readonly Socket[]> => {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: 1000 }, () => connect({ host: hostname, port: Number(port) }))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) {
    socket.on('error', () => undefined) // a reset is a way to close
    if (opening !== '') socket.write(opening)
  }
  return sockets
}

for (const [name, opening] of openings) {
  it(`do not keep others from being served: ${name}`, async () => {
    await serving(fakeEngine(), {}, async (url) => {
      const sockets = await crowd(url, opening)
      const good = dial(url)
      for (let n = 1; n <= 20; n += 1) {
        good.send(post(SUBMIT))
        await until(() => good.replies().length === n)
      }
      assert.ok(good.replies().every(({ status }) => status === 200))
      good.socket.end()
      for (const socket of sockets) socket.resetAndDestroy()
    })
  })
}

it('do not hold up the end of the server', async () => {
  let sockets: readonly Socket[] = []
  await serving(fakeEngine(), {}, async (url) => void (sockets = await crowd(url, '')))
  for (const socket of sockets) socket.destroy()
})

it.run()
