/**
 * An EventStoreDB at the level of its protocol, for the unmodified client: over the service definitions that the client generated.
 * It keeps its log in memory, also while it is stopped, and does wrong what it is told to.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { certificateOf } from '../../../certificate-of.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { deniedTo, type Users } from './access.ts'
import { append, batchAppend } from './append-calls.ts'
import { createEventLog, type EventLog, type EventLogOptions } from './event-log.ts'
import { createFaults, type FaultName, type FaultOptions } from './faults.ts'
import { gossipRead } from './gossip-calls.ts'
import type { Leadership, Member, Node, NodeSettings, Peer } from './node.ts'
import { read } from './read-calls.ts'
import { remove, tombstone } from './removal-calls.ts'
import { supportedMethods } from './server-features.ts'

export type EmulatorOptions = Partial<NodeSettings> &
  EventLogOptions & {
    /** Default: one that is free. It stays the same when the server is started again. */
    readonly port?: number
    readonly host?: string
    /** A log that was there before. */
    readonly own?: EventLog
    /** A log that other nodes share. */
    readonly log?: () => EventLog
    readonly leadership?: () => Leadership
    readonly members?: () => readonly Member[]
    /** Without them everybody may do everything. The client sends passwords over TLS only. */
    readonly users?: Users
    /** Listens with a certificate that is made at the start; clients need `tlsCaFile`. */
    readonly tls?: boolean
  }

export type Emulator = {
  /** For the client, as it takes it. */
  readonly connectionString: string
  /** The same with a name and a password. */
  readonly connectionStringOf: (name: string, password: string) => string
  /** The authority of the server's certificate, if it has one. */
  readonly tlsCaFile: string | undefined
  readonly host: string
  readonly port: number
  readonly log: EventLog
  /** Begins a fault; the answer ends it. */
  readonly fault: (name: FaultName, options?: FaultOptions) => () => void
  readonly clearFaults: () => void
  /** How many calls faults have hit. */
  readonly hits: () => number
  /** Ends every connection at once, and takes no more, as if the process had been killed. */
  readonly stop: () => Promise<void>
  /** Listens again, on the same port, with the same log; ids are remembered no longer for expectation `any`. */
  readonly start: () => Promise<void>
  /** Ends every connection at once; new ones are taken. */
  readonly cutConnections: () => void
}

const LIMITS = { maxAppendSize: 1024 * 1024 }

export const startEmulator = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  const { host = '127.0.0.1', version = '23.10.8' } = options
  const own = options.own ?? createEventLog(options)
  const currentLog = options.log ?? (() => own)
  const id = randomUUID()
  const tls = options.tls === true ? await tlsOf(host) : undefined
  const faults = createFaults()
  const settings = { ...LIMITS, ...featuresOf(version), ...options, version }
  let sockets = new Map<string, Socket>()
  let running: { readonly rpc: Server; readonly tcp: TcpServer } | undefined
  let { port = 0 } = options

  const leadership = options.leadership ?? ((): Leadership => ({ role: 'leader' }))
  const node: Node = {
    get log() {
      return currentLog()
    },
    settings,
    faults,
    denied: (headers, action, stream) =>
      options.users === undefined ? undefined : deniedTo(options.users, currentLog(), headers, action, stream),
    leadership,
    members: options.members ?? (() => [{ id, host, port, role: 'leader', isAlive: true }]),
    cut: (call: Peer) => sockets.get(call.getPeer())?.destroy(),
  }
  const cutConnections = (): void => {
    for (const socket of sockets.values()) socket.destroy()
    sockets = new Map()
  }

  const start = async (): Promise<void> => {
    if (running !== undefined) return
    if (options.log === undefined) {
      own.forgetRecentIds()
      writeEpoch(own)
    }
    await tls?.publish()
    const rpc = serverOf(node)
    const injector = rpc.createConnectionInjector(tls?.credentials ?? ServerCredentials.createInsecure())
    const tcp = createServer((socket) => {
      const name = `${socket.remoteAddress}:${socket.remotePort}`
      sockets.set(name, socket)
      socket.on('close', () => sockets.delete(name))
      socket.on('error', () => socket.destroy())
      injector.injectConnection(socket)
    })
    tcp.listen(port, host)
    await once(tcp, 'listening')
    port = portOf(tcp)
    running = { rpc, tcp }
  }
  const stop = async (): Promise<void> => {
    if (running === undefined) return
    const { rpc, tcp } = running
    running = undefined
    const closed = once(tcp, 'close')
    tcp.close()
    cutConnections()
    rpc.forceShutdown()
    await closed
    await tls?.remove()
  }

  await start()
  const query = tls === undefined ? 'tls=false' : `tls=true&tlsCAFile=${encodeURIComponent(tls.file)}`
  return {
    connectionString: `esdb://${host}:${port}?${query}`,
    connectionStringOf: (name, password) =>
      `esdb://${encodeURIComponent(name)}:${encodeURIComponent(password)}@${host}:${port}?${query}`,
    tlsCaFile: tls?.file,
    host,
    port,
    get log() {
      return currentLog()
    },
    fault: faults.add,
    clearFaults: faults.clear,
    hits: faults.hits,
    stop,
    start,
    cutConnections,
  }
}

const tlsOf = async (host: string) => {
  const { cert, key } = certificateOf([host, 'localhost'])
  const { path, remove } = await temporaryFolder()
  const file = join(path, 'authority.pem')
  const pair = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }
  return {
    file,
    credentials: ServerCredentials.createSsl(null, [pair]),
    publish: async () => {
      await mkdir(path, { recursive: true })
      await writeFile(file, cert)
    },
    remove,
  }
}

const MESSAGE_BYTES_MAX = 64 * 1024 * 1024

const serverOf = (node: Node): Server => {
  const server = new Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX })
  const { batchAppend: batches, serverFeatures } = node.settings
  const calls = { read: read(node), append: append(node), delete: remove(node), tombstone: tombstone(node) }
  // What has no handler is answered as unimplemented, as by a server that has never heard of it.
  server.addService(streamServices.StreamsService, batches ? { ...calls, batchAppend: batchAppend(node) } : calls)
  server.addService(gossipServices.GossipService, { read: gossipRead(node) })
  if (serverFeatures)
    server.addService(featureServices.ServerFeaturesService, { getSupportedMethods: supportedMethods(node) })
  return server
}

/** What came with which release. */
const featuresOf = (version: string): Omit<NodeSettings, 'version' | 'maxAppendSize'> => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isFrom = (fromMajor: number, fromMinor: number): boolean =>
    major > fromMajor || (major === fromMajor && minor >= fromMinor)
  return {
    batchAppend: isFrom(21, 10),
    serverFeatures: isFrom(21, 10),
    caughtUp: isFrom(23, 10),
    positionsInStreams: isFrom(22, 6),
    countsAllBytes: isFrom(24, 10),
    liveBufferMax: isFrom(24, 2) ? Infinity : 128,
  }
}

/** A server writes an event of its own whenever it becomes the leader. */
export const writeEpoch = (log: EventLog): void => {
  const data = Buffer.from(JSON.stringify({ EpochPosition: Number(log.endPosition()), EpochId: randomUUID() }))
  const type = '$epoch-information'
  const event = { id: randomUUID(), type, contentType: 'application/json', data, metadata: new Uint8Array() }
  log.append(type, 'any', [event])
}

const portOf = (server: TcpServer): number => {
  // A server that listens on a port of TCP has an address in this form.
  const { port } = server.address() as AddressInfo
  return port
}
