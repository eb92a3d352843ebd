import { setMaxListeners } from 'node:events'
import { connect as netConnect, isIP, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { Unanswered } from '../../core/ports/outgoing.ts'
import { hostOf, mayConnect } from './vetted-addresses.ts'

export type Connecting = {
  readonly allowPrivateNetwork?: boolean
  readonly ca?: string
  /** Aborted when the request is over. */
  readonly gone: AbortSignal
  /** Aborted when it took too long to connect. */
  readonly waiting: AbortSignal
}

/** Why there is no answer. */
export class Refused extends Error {
  readonly why: Unanswered
  constructor(why: Unanswered) {
    super(why)
    this.why = why
  }
}

/** The socket of the first address that takes one: a host may be there by one of its families only. */
export const connectedAny = async (
  connecting: Connecting,
  url: URL,
  [address = '', ...others]: readonly string[],
): Promise<Socket> => {
  try {
    return await connected(connecting, url, address)
  } catch (error) {
    const isOver = connecting.gone.aborted || connecting.waiting.aborted || others.length === 0
    if (isOver || (error instanceof Refused && error.why !== 'connection')) throw error
    return connectedAny(connecting, url, others)
  }
}

/** Calls the function when the signal is aborted, or now if it was. @returns what ends that */
export const whenAborted = (signal: AbortSignal, f: () => void): (() => void) => {
  setMaxListeners(0, signal) // each request under way may listen to the same one
  if (signal.aborted) f()
  else signal.addEventListener('abort', f)
  return () => signal.removeEventListener('abort', f)
}

/** A socket to the address, where that is still one that may be asked. */
const connected = async (
  { allowPrivateNetwork = false, ca, gone, waiting }: Connecting,
  url: URL,
  address: string,
): Promise<Socket> => {
  const isSecure = url.protocol === 'https:'
  const plain = netConnect({ host: address, port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port) })
  for (const signal of [gone, waiting]) whenAborted(signal, () => plain.destroy())
  await happened(plain, 'connect')
  if (!mayConnect(plain.remoteAddress ?? '', allowPrivateNetwork)) throw new Refused('refused')
  return isSecure ? secured(plain, hostOf(url), ca) : plain
}

/** The socket with TLS, where the certificate is that of the host: Node compares it with `host`. Addresses are not named to the server. */
const secured = async (plain: Socket, host: string, ca: string | undefined): Promise<Socket> => {
  const secure = tlsConnect({
    socket: plain,
    host,
    rejectUnauthorized: true, // also where the environment says otherwise
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  })
  try {
    await happened(secure, 'secureConnect')
  } catch (error) {
    // Each kind of wrong certificate has a code of its own, and alerts of the server have similar ones.
    throw secure.authorizationError ? new Refused('certificate') : error
  }
  return secure
}

const happened = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(event, resolve)
    socket.on('error', reject) // also later ones, which come when it was destroyed
    socket.once('close', () => reject(new Refused('connection')))
  })
