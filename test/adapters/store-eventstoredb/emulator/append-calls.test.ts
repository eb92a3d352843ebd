import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEmulator } from './emulator.ts'

const it = suite('appends to the EventStoreDB emulator')

/** A message as it is sent: whether it is compressed, its length, and its bytes. */
const framed = (message: streams.AppendReq): Uint8Array => {
  const bytes = message.serializeBinary()
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

const optionsOf = (stream: string): streams.AppendReq => {
  const id = new shared.StreamIdentifier()
  id.setStreamName(Buffer.from(stream).toString('base64'))
  const options = new streams.AppendReq.Options()
  options.setStreamIdentifier(id)
  options.setNoStream(new shared.Empty())
  const request = new streams.AppendReq()
  request.setOptions(options)
  return request
}

const proposalOf = (uuid: string): streams.AppendReq => {
  const id = new shared.UUID()
  id.setString(uuid)
  const message = new streams.AppendReq.ProposedMessage()
  message.setId(id)
  message.getMetadataMap().set('type', 'Anything').set('content-type', 'application/octet-stream')
  message.setData(Buffer.from('anything'))
  const request = new streams.AppendReq()
  request.setProposedMessage(message)
  return request
}

type Call = { readonly socket: Socket; readonly reset: () => void; readonly end: () => void }

const ENDS: Readonly<Record<string, { readonly end: (call: Call) => void; readonly written: number }>> = {
  'is written when its end was sent': { end: ({ end }) => end(), written: 1 },
  'is not written when its connection breaks before': { end: ({ socket }) => socket.destroy(), written: 0 },
  'is not written when the other side closes the connection before': { end: ({ socket }) => socket.end(), written: 0 },
  'is not written when it is taken back before': { end: ({ reset }) => reset(), written: 0 },
}

/** An append whose message the server has got, and not its end. */
const begun = async (port: number, uuid: string) => {
  const socket = connectSocket(port, '127.0.0.1')
  const session = connect(`http://127.0.0.1:${port}`, { createConnection: () => socket })
  session.on('error', () => undefined)
  const call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/Append',
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  call.on('error', () => undefined)
  call.write(framed(optionsOf(uuid)))
  call.write(framed(proposalOf(uuid)))
  await new Promise<void>((resolve) => session.ping(() => resolve())) // answered behind what came before it
  return { socket, session, call }
}

for (const [name, { end, written }] of Object.entries(ENDS))
  it(`an append ${name}`, async () => {
    const server = await startEmulator()
    const uuids = [randomUUID(), randomUUID()] as const
    const { socket, session, call } = await begun(server.port, uuids[0])
    end({ socket, reset: () => call.close(constants.NGHTTP2_CANCEL), end: () => call.end() })
    const later = await begun(server.port, uuids[1])
    later.call.end()
    await once(later.call.resume(), 'end')
    assert.equal(
      uuids.map((uuid) => server.log.all().some(({ id }) => id === uuid)),
      [written === 1, true],
    )
    for (const each of [session, later.session]) each.destroy()
    await server.stop()
  })

it.run()
