import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/** A wire between a client and the server, which can be cut. */
export type Proxy = {
  readonly url: string
  /** How many answers to COMMIT have been seen. */
  readonly commits: () => number
  /** Cuts all connections that are open now. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** What the server answers to COMMIT: the kind of message, its length, the tag. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/** By what the server tells its process: the kind of message, and its length. */
const KEY = Buffer.from('K\0\0\0\x0c', 'latin1')

/** As a pooler does, which passes on cancellations by numbers of its own. */
const withOtherProcess = (chunk: Buffer): Buffer => {
  const at = chunk.indexOf(KEY)
  if (at < 0) return chunk
  const changed = Buffer.from(chunk)
  changed.writeInt32BE(1, at + KEY.length)
  return changed
}

export type ProxyOptions = {
  /** Whether to cut the connection in place of passing on the nth answer to COMMIT; it is counted from 1. */
  readonly swallows?: (commit: number) => boolean
  /** Counts only the answers on connections that have sent this text. */
  readonly behind?: string
  /** Changes what the server says, to as many characters. */
  readonly rewrites?: (text: string) => string
  /** Whether clients are told of another process of the server than theirs. */
  readonly isPooler?: boolean
}

export const proxyTo = async (
  url: string,
  { swallows = () => false, behind = '', rewrites = (text) => text, isPooler = false }: ProxyOptions = {},
): Promise<Proxy> => {
  const to = new URL(url)
  const open = new Set<Socket>()
  let commits = 0
  const proxy = createServer((client) => {
    const server = connect(Number(to.port === '' ? 5432 : to.port), to.hostname)
    const end = (): void => {
      for (const socket of [client, server]) {
        open.delete(socket)
        socket.destroy()
      }
    }
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', end).on('close', end)
    }
    let isCounted = behind === ''
    client.on('data', (chunk: Buffer) => {
      isCounted ||= chunk.includes(behind)
      server.write(chunk)
    })
    server.on('data', (received: Buffer) => {
      const chunk = isPooler ? withOtherProcess(received) : received
      if (isCounted && chunk.includes(COMMITTED) && swallows(++commits)) end()
      else client.write(Buffer.from(rewrites(chunk.toString('latin1')), 'latin1'))
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = new URL(url)
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}` // of a TCP socket
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: through.href,
    commits: () => commits,
    cut,
    close: async () => {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
