/* What commands have in common that serve until a signal. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { HttpServer } from '../http/index.ts'
import type { LogForm } from './open-log.ts'
import { isTerminal } from './print.ts'
import { systemCode, systemReason, unusable, type Stop } from './stop.ts'

/**
 * Resolves at the first signal. Later signals change nothing: npm passes on a Ctrl-C that the terminal has also sent, and draining has its
 * own time limit.
 */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })

export type Place = {
  readonly host: string
  readonly port: number
  /** The variable that gives the port of this command. */
  readonly variable: string
}

export const listen = async (server: HttpServer, place: Place): Promise<string> => {
  try {
    return (await server.listen({ host: place.host, port: place.port })).url
  } catch (error) {
    throw cannotListen(place, error)
  }
}

/** Checks that the port is free: listens for a moment, and closes connections that arrive meanwhile. */
export const mustBeFree = async (place: Place): Promise<void> => {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen({ host: place.host, port: place.port })
    await once(server, 'listening') // or its error
  } catch (error) {
    throw cannotListen(place, error)
  }
  server.close()
  await once(server, 'close')
}

export const cannotListen = ({ host, port, variable }: Place, error: unknown): Stop => {
  const hint = systemCode(error) === 'EADDRINUSE' ? `: give another with --port or ${variable}` : ''
  return unusable(`cannot listen on ${host}, port ${port}: ${systemReason(error)}${hint}`)
}

/** The form of a log; `auto` is `pretty` on a terminal, otherwise `json`. */
export const formOf = ({ log }: { readonly log: LogForm | 'auto' }): LogForm => {
  if (log !== 'auto') return log
  return isTerminal('stderr') ? 'pretty' : 'json'
}
