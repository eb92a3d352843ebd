/* What commands have in common that serve until a signal. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { HttpServer } from '../http/index.ts'
import type { LogForm } from './open-log.ts'
import { isTerminal } from './print.ts'
import { systemReason, unusable, type Stop } from './stop.ts'

/**
 * Resolves at the first signal. Later signals change nothing: npm passes on a Ctrl-C that the terminal has also sent, and draining has its
 * own time limit.
 */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })

export type Place = { readonly host: string; readonly port: number }

export const listen = async (server: HttpServer, { host, port }: Place): Promise<string> => {
  try {
    return (await server.listen({ host, port })).url
  } catch (error) {
    throw cannotListen({ host, port }, error)
  }
}

/** Checks that the port is free: listens for a moment, and closes connections that arrive meanwhile. */
export const mustBeFree = async (place: Place): Promise<void> => {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(place)
    await once(server, 'listening') // or its error
  } catch (error) {
    throw cannotListen(place, error)
  }
  server.close()
  await once(server, 'close')
}

const cannotListen = ({ host, port }: Place, error: unknown): Stop =>
  unusable(`cannot listen on ${host}, port ${port}: ${systemReason(error)}`)

/** The form of a log; `auto` is `pretty` on a terminal, otherwise `json`. */
export const formOf = ({ log }: { readonly log: LogForm | 'auto' }): LogForm => {
  if (log !== 'auto') return log
  return isTerminal('stderr') ? 'pretty' : 'json'
}
