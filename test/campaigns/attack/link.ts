import type { Socket } from 'node:net'
import { dialled } from '../load/dialled.ts'
import type { Tally } from './attack.ts'

/**
 * A connection that sends requests and counts the bytes of their answers: it keeps none of them, since answers of many megabytes
 * would otherwise cost the attackers more than the server.
 */
export type Link = {
  /** The status of the answer; 0 where the connection ended without one. */
  readonly ask: (request: Uint8Array) => Promise<number>
  readonly close: () => void
}

export const link = (url: string, tally: Tally): Link => {
  let socket: Socket | undefined
  let tell: (status: number) => void = () => undefined
  let answer = noAnswer()

  const open = (): Socket => {
    const opened = dialled(url)
    opened.once('connect', () => (tally.connected += 1))
    opened.on('data', (chunk: Buffer) => {
      tally.bytesRead += chunk.length
      if (!take(answer, chunk)) return
      const { status, closes } = answer
      answer = noAnswer()
      if (closes) drop()
      tell(status)
    })
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      const { status } = answer
      answer = noAnswer()
      tell(status)
    })
    return opened
  }
  const drop = (): void => {
    const dropped = socket
    socket = undefined
    dropped?.resetAndDestroy() // a connection that is closed would keep its port for a minute
  }
  return {
    ask: (request) =>
      new Promise((resolve) => {
        tell = resolve
        socket ??= open()
        socket.write(request)
        tally.bytesSent += request.length
      }),
    close: drop,
  }
}

type Answer = { head: string; status: number; closes: boolean; left: number }

const noAnswer = (): Answer => ({ head: '', status: 0, closes: false, left: Infinity })

/** Whether the answer is whole with this chunk. */
const take = (answer: Answer, chunk: Buffer): boolean => {
  if (answer.left < Infinity) {
    answer.left -= chunk.length
    return answer.left <= 0
  }
  answer.head += chunk.toString('latin1', 0, 4096)
  const end = answer.head.indexOf('\r\n\r\n')
  if (end < 0) return false
  const before = answer.head.length - Math.min(chunk.length, 4096)
  answer.status = Number(answer.head.slice(9, 12))
  answer.closes = /\r\nconnection: close\r\n/i.test(answer.head.slice(0, end + 2))
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer.head.slice(0, end))?.[1] ?? 0)
  answer.left = length - (chunk.length - (end + 4 - before))
  return answer.left <= 0
}
