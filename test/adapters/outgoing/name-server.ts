import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { parseIpAddress } from '../../../core/address/ip-address.ts'

/** Gives the addresses of a name in one family; `undefined` for no answer at all. */
export type AddressesOf = (name: string, family: 4 | 6) => readonly string[] | undefined

/** Runs a name server on this machine while `play` runs. @param play  gets its place, as `address:port` */
export const nameServer = async (addressesOf: AddressesOf, play: (place: string) => Promise<void>): Promise<void> => {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, HEAD)
    const family = query[end + 2] === AAAA ? 6 : 4
    const addresses = addressesOf(nameIn(query.subarray(HEAD, end)), family)
    if (addresses === undefined) return
    const counts = [0, 1, 0, addresses.length, 0, 0, 0, 0] // questions, answers, authorities, additional ones
    const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, ...counts])])
    const records = addresses.map((one) => recordOf(one, family))
    socket.send(Buffer.concat([head, query.subarray(HEAD, end + 5), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  await play(`127.0.0.1:${socket.address().port}`).finally(() => socket.close())
}

const HEAD = 12
const AAAA = 28

/** The name whose labels each follow their length. */
const nameIn = (labels: Buffer): string => {
  const [length] = labels
  if (length === undefined) return ''
  const rest = nameIn(labels.subarray(1 + length))
  return `${labels.subarray(1, 1 + length).toString()}${rest === '' ? '' : '.'}${rest}`
}

const recordOf = (address: string, family: 4 | 6): Buffer => {
  const bytes = (parseIpAddress(address) ?? []).flatMap((group) => [group >> 8, group & 255])
  const data = family === 4 ? bytes.slice(-4) : bytes
  return Buffer.from([0xc0, HEAD, 0, family === 4 ? 1 : AAAA, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
}
