import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { refused } from './worker-refusal.ts'
import type { Host, Target, Tls } from './url.ts'
import type { Refused } from './worker-messages.ts'

/*
 * The client says of each failed connection only that there is none. So each host is tried on its own, once, to say what is wrong.
 */

const TIMEOUT_MS = 2_000
const END_MS = 1_000

type Finding =
  | 'unknown-name'
  | 'no-answer'
  | 'refused'
  | 'no-tls'
  | 'tls'
  | 'not-trusted'
  | 'wrong-name'
  | 'not-accepted'
  | undefined

/** The first host whose name there is not, if others have been named too: a cluster would do without it, until it is needed. */
const wrongName = async ({ hosts }: Target): Promise<Refused | undefined> => {
  if (hosts.length < 2) return undefined
  const found = await Promise.all(hosts.map(nameFinding))
  const at = found.indexOf('unknown-name')
  const host = hosts[at]
  return host === undefined
    ? undefined
    : refused({ _tag: 'unusable' }, `entry ${at + 1} of the hosts is wrong: there is no host named ${host.address}`)
}

/** Why none of the hosts can be used; `undefined` if nothing is found. */
const reason = async (target: Target, isAgain: boolean): Promise<Refused | undefined> => {
  const findings = await Promise.all(target.hosts.map((host) => findingOf(host, target.tls)))
  const told = target.hosts.flatMap((host, index) => {
    const finding = findings[index]
    return finding === undefined ? [] : [{ finding, text: `${host.address}:${host.port} ${TEXTS[finding]}` }]
  })
  // A host that answers, and is no leader, may just be electing one.
  if (told.length === 0 || told.length < findings.length) return undefined
  const isWrong = !isAgain && told.every(({ finding }) => finding !== 'no-answer' && finding !== 'refused')
  return refused(
    { _tag: isWrong ? 'unusable' : 'unavailable' },
    `the server cannot be reached: ${told.map(({ text }) => text).join('; ')}`,
    true,
  )
}

export const probe = { wrongName, reason }

const TEXTS: Readonly<Record<Exclude<Finding, undefined>, string>> = {
  'unknown-name': 'is no host that there is',
  'no-answer': 'does not answer',
  refused: 'refuses connections',
  'no-tls': 'does not speak TLS: add tls=false to the URL if it is meant to run without',
  tls: 'speaks TLS: take tls=false out of the URL',
  'not-trusted': 'has a certificate that is not trusted: name its authority with tlsCAFile',
  'wrong-name': 'has a certificate for another name',
  'not-accepted': 'does not accept the certificate of userCertFile',
}

const nameFinding = async ({ address }: Host): Promise<Finding> => {
  if (isIP(address) !== 0) return undefined
  try {
    await lookup(address)
    return undefined
  } catch (error) {
    return codeOf(error) === 'ENOTFOUND' ? 'unknown-name' : undefined
  }
}

const findingOf = async (host: Host, tls: Tls | undefined): Promise<Finding> => {
  const name = await nameFinding(host)
  if (name !== undefined) return name
  const tcp = await tried(() => connectTcp(host.port, host.address), 'connect')
  if (tcp === 'timeout') return 'no-answer'
  if (tcp !== undefined) return tcp === 'ECONNREFUSED' ? 'refused' : 'no-answer'
  const common: ConnectionOptions = {
    host: host.address,
    port: host.port,
    ALPNProtocols: ['h2'],
    ...(isIP(host.address) === 0 ? { servername: host.address } : {}),
  }
  if (tls === undefined) {
    const secure = await tried(() => connectTls({ ...common, rejectUnauthorized: false }), 'secureConnect')
    return secure === undefined ? 'tls' : undefined
  }
  const files = {
    ...(tls.ca === undefined ? {} : { ca: Buffer.from(tls.ca) }),
    ...(tls.cert === undefined ? {} : { cert: Buffer.from(tls.cert) }),
    ...(tls.key === undefined ? {} : { key: Buffer.from(tls.key) }),
  }
  const code = await tried(() => connectTls({ ...common, ...files }), 'secureConnect')
  if (code === undefined && tls.cert === undefined) return undefined
  if (code === undefined)
    return (await endsSoon(() => connectTls({ ...common, ...files }))) ? 'not-accepted' : undefined
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'wrong-name'
  if (/^(?:CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|INVALID_CA)/.test(code)) return 'not-trusted'
  return 'no-tls'
}

/** @returns `undefined` if the socket told the event, or the code of its error */
const tried = (open: () => Socket, event: 'connect' | 'secureConnect'): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = open()
    const end = (outcome: string | undefined): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(outcome)
    }
    const timer = setTimeout(() => end('timeout'), TIMEOUT_MS)
    socket.once(event, () => end(undefined))
    socket.on('error', (error) => end(codeOf(error)))
    socket.once('close', () => end('closed'))
  })

/** A server looks at the certificate of a client when the client takes the connection for made already, and ends it then. */
const endsSoon = async (open: () => Socket): Promise<boolean> => {
  const socket = open()
  const ended = new Promise<boolean>((resolve) => {
    for (const event of ['end', 'error', 'close']) socket.once(event, () => resolve(true))
    setTimeout(() => resolve(false), END_MS)
  })
  const isOver = await ended
  socket.destroy()
  return isOver
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
