import { dialled } from '../load/dialled.ts'
import { count, type Assailant, type Salvo, type Tally } from './attack.ts'
import { link } from './link.ts'

/** Whole requests, one after the other on each of so many connections; each answer is read before the next. */
export const asking = (url: string, requests: readonly Uint8Array[], connections = 8): Salvo => {
  let next = 0
  return {
    connections,
    open: (tally) => {
      const { ask, close } = link(url, tally)
      return {
        turn: async () => {
          const request = requests[next++ % requests.length]
          if (request !== undefined) count(tally, await ask(request))
        },
        close,
      }
    },
  }
}

/** As `asking`, on a new connection for each request. */
export const dialling = (url: string, requests: readonly Uint8Array[], connections = 8): Salvo => {
  const kept = asking(url, requests, connections)
  return {
    connections,
    open: (tally) => {
      const one = kept.open(tally)
      return {
        turn: async () => {
          await one.turn()
          one.close()
        },
        close: one.close,
      }
    },
  }
}

/** Sends bytes on a connection again and again, and never reads what comes back. A turn ends when the connection does. */
export const ignoring = (url: string, bytes: Uint8Array, connections: number, times: number): Salvo => ({
  connections,
  isEndless: true,
  open: (tally) =>
    holding(url, tally, async (write) => {
      for (let sent = 0; sent < times; sent += 1) if (!(await write(bytes))) return
    }),
})

/** Sends bytes, then one byte after the other with pauses, as long as the connection lasts. */
export const dripping = (
  url: string,
  bytes: Uint8Array,
  { connections, byte, pauseMs }: { readonly connections: number; readonly byte: string; readonly pauseMs: number },
): Salvo => ({
  connections,
  isEndless: true,
  open: (tally) =>
    holding(url, tally, async (write) => {
      let isOpen = await write(bytes)
      while (isOpen) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        isOpen = await write(Buffer.from(byte))
      }
    }),
})

type Write = (bytes: Uint8Array) => Promise<boolean>

const holding = (url: string, tally: Tally, send: (write: Write) => Promise<void>): Assailant => {
  let hangUp: () => void = () => undefined
  return {
    turn: () =>
      new Promise((resolve) => {
        const socket = dialled(url)
        hangUp = () => socket.resetAndDestroy()
        socket.once('connect', () => (tally.connected += 1))
        socket.pause()
        socket.once('close', () => {
          count(tally, 0)
          resolve()
        })
        // Whether there is room for more; `false` where the other side has gone.
        const write: Write = (bytes) =>
          new Promise((settle) => {
            if (socket.destroyed) return settle(false)
            tally.bytesSent += bytes.length
            socket.write(bytes, (error) => settle(error === undefined || error === null))
          })
        void send(write)
      }),
    close: () => hangUp(),
  }
}
