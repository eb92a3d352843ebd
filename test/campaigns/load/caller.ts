import type { Socket } from 'node:net'
import { dialled } from './dialled.ts'

/** An answer as it came; `head` has the status line and the headers. */
export type Answer = { readonly status: number; readonly head: string; readonly body: string }

/** Shorter than a server keeps a silent connection: a request must not meet its end on the way. */
const SILENCE_MAX_MS = 3000

/** A caller with one connection, which it opens again when it was closed, or silent for long. */
export type Caller = {
  /** Sends a request as bytes and waits for its answer; `undefined` where no whole answer came. */
  readonly ask: (request: Uint8Array) => Promise<Answer | undefined>
  readonly close: () => void
}

/** A POST with a stamp, as bytes; `headers` are lines. */
export const postOf = (path: string, body: Uint8Array, headers: readonly string[]): Uint8Array => {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: test', `Content-Length: ${body.length}`, ...headers, '', '']
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body])
}

export const caller = (url: string): Caller => {
  let socket: Socket | undefined
  let received: Buffer[] = []
  let tell: ((answer: Answer | undefined) => void) | undefined
  let usedAt = 0

  const settle = (answer: Answer | undefined): void => {
    const told = tell
    tell = undefined
    received = []
    told?.(answer)
  }
  const open = (): Socket => {
    const opened = dialled(url)
    opened.on('data', (chunk: Buffer) => {
      if (socket !== opened) return
      received.push(chunk)
      const answer = answerIn(received)
      if (answer !== undefined) settle(answer)
    })
    opened.on('close', () => {
      if (socket !== opened) return // it was dropped, and another one may be waiting already
      socket = undefined
      settle(undefined)
    })
    return opened
  }
  const drop = (): void => {
    const dropped = socket
    socket = undefined
    dropped?.resetAndDestroy() // a connection that is closed would keep its port for a minute
  }
  return {
    ask: async (request) => {
      if (performance.now() - usedAt > SILENCE_MAX_MS) drop()
      const answer = await new Promise<Answer | undefined>((resolve) => {
        tell = resolve
        socket ??= open()
        socket.write(request)
      })
      usedAt = performance.now()
      if (answer === undefined || /\r\nconnection: close\b/i.test(answer.head)) drop()
      return answer
    },
    close: () => drop(),
  }
}

const answerIn = (received: Buffer[]): Answer | undefined => {
  const bytes = received.length === 1 && received[0] !== undefined ? received[0] : Buffer.concat(received)
  received.splice(0, received.length, bytes)
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < end + 4 + length) return undefined
  return { status: Number(head.slice(9, 12)), head, body: bytes.toString('utf8', end + 4, end + 4 + length) }
}
