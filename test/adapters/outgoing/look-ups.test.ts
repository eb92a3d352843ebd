import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lookupByDns } from '../../../adapters/outgoing/vetted-addresses.ts'

const it = suite('look-ups of outgoing requests')

/** A name server that says nothing about names that begin with `slow`, and gives all others one address of each family. */
const nameServer = async (play: (place: string, silent: () => number) => Promise<void>): Promise<void> => {
  const socket = createSocket('udp4')
  let silent = 0
  socket.on('message', (query, { port, address }) => {
    if (query.subarray(13, 17).toString() === 'slow') {
      silent += 1
      return
    }
    const isV6 = query[query.indexOf(0, 12) + 2] === 28
    const data = isV6 ? Buffer.from('260628000220000100000000000000ff', 'hex') : Buffer.from([93, 184, 215, 14])
    const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])])
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const record = Buffer.from([0xc0, 12, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length])
    socket.send(Buffer.concat([head, question, record, data]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  await play(`127.0.0.1:${socket.address().port}`, () => silent).finally(() => socket.close())
}

it('give the addresses of both families, while many names wait for their servers', () =>
  nameServer(async (place, silent) => {
    const ends = Array.from({ length: 64 }, () => new AbortController())
    const lookup = lookupByDns([place])
    const slow = ends.map(({ signal }, n) => lookup(`slow-${n}.example.com`, signal))
    while (silent() < 2 * slow.length)
      assert.equal(await lookup('good.example.com'), ['93.184.215.14', '2606:2800:220:1::ff'])
    for (const end of ends) end.abort()
    assert.equal((await Promise.all(slow)).flat(), [])
  }))

it.run()
