/** One emulated server, as its services see it: the log, what it is set to, what may go wrong, and who may do what. */
import type { Metadata } from '@grpc/grpc-js'
import type { EventLog, Expected, Outcome, ProposedEvent } from './event-log.ts'
import type { Fault, Faults } from './faults.ts'
import { refusals, type Address, type Refusal } from './refusals.ts'

/** What the node is among the others. */
export type Leadership =
  | { readonly role: 'leader' }
  /** `leaderIsGone`: it has not noticed yet, and hands writes on to nobody. */
  | { readonly role: 'follower'; readonly leader: Address; readonly leaderIsGone: boolean }
  /** A leader is being elected. */
  | { readonly role: 'unknown' }
  /** It still takes itself for the leader, but reaches no other node. */
  | { readonly role: 'isolated' }

export type Action = 'read' | 'write' | 'delete'

export type Node = {
  readonly log: EventLog
  readonly settings: NodeSettings
  readonly faults: Faults
  /** Why the caller may not do this. */
  readonly denied: (headers: Metadata, action: Action, stream: string) => Refusal | undefined
  readonly leadership: () => Leadership
  /** All nodes, as this one sees them. */
  readonly members: () => readonly Member[]
  /** Ends the connection that the call came by. */
  readonly cut: (call: Peer) => void
}

export type Member = Address & {
  readonly id: string
  readonly role: 'leader' | 'follower' | 'unknown'
  readonly isAlive: boolean
}

export type Peer = { readonly getPeer: () => string }

export type NodeSettings = {
  readonly version: string
  readonly maxAppendSize: number
  /** Of servers that are older than these things. */
  readonly batchAppend: boolean
  readonly serverFeatures: boolean
  readonly caughtUp: boolean
  readonly positionsInStreams: boolean
  /** Servers before 24.2 count the bytes of data only, by a mistake; later ones those of metadata and type, too. */
  readonly countsAllBytes: boolean
  /** How many events wait for a reader that has caught up, before it is dropped. Later servers let it catch up again. */
  readonly liveBufferMax: number
}

/** What became of a write. `silent`: no answer is to be sent, ever; `cut`: the connection is gone. */
export type Written =
  | Outcome
  | { readonly _tag: 'refused'; readonly refusal: Refusal; readonly inBatch: string | undefined }
  | { readonly _tag: 'timeout' | 'cut' }

export type Writing = {
  readonly call: Peer
  readonly headers: Metadata
  readonly action: 'append' | 'delete'
  readonly stream: string
  readonly write: () => Outcome
}

/** A write, with what goes wrong before and after it. */
export const written = async (node: Node, { call, headers, action, stream, write }: Writing): Promise<Written> => {
  const unready = unreadyFor(node, headers, 'write')
  if (unready !== undefined) return { _tag: 'refused', refusal: unready, inBatch: textInBatch(unready) }
  const leadership = node.leadership()
  if (leadership.role === 'isolated') return { _tag: 'timeout' }
  if (leadership.role === 'follower' && leadership.leaderIsGone) return { _tag: 'silent' }
  const fault = node.faults.take(action, stream)
  if (fault === undefined) return write()
  await fault.gate
  const refusal = refusalBy(fault)
  if (refusal !== undefined) return { _tag: 'refused', refusal, inBatch: textInBatch(refusal) }
  const outcome = BEFORE_WRITE.has(fault.name) ? undefined : write()
  switch (fault.name) {
    case 'cut-before-write':
    case 'cut-after-write':
      node.cut(call)
      return { _tag: 'cut' }
    case 'silent-before-write':
    case 'silent-after-write':
      return { _tag: 'silent' }
    case 'timeout-before-write':
    case 'timeout-after-write':
      return { _tag: 'timeout' }
    default:
      return outcome ?? write()
  }
}

/**
 * Why the node does not answer. A follower hands writes on to the leader, and reads what it has, unless the caller asks for the
 * leader. While a leader is being elected, no node writes; but all read, whatever the caller asks for.
 */
export const unreadyFor = (node: Node, headers: Metadata, action: Action): Refusal | undefined => {
  const leadership = node.leadership()
  if (leadership.role === 'unknown') return action === 'read' ? undefined : refusals.notReady()
  const wantsLeader = headers.get('requires-leader')[0] === 'true'
  return leadership.role === 'follower' && wantsLeader ? refusals.notLeader(leadership.leader) : undefined
}

const BEFORE_WRITE = new Set<Fault['name']>(['cut-before-write', 'silent-before-write', 'timeout-before-write'])

export const refusalBy = ({ name, leader }: Fault): Refusal | undefined =>
  name === 'too-busy'
    ? refusals.tooBusy()
    : name === 'not-ready'
      ? refusals.notReady()
      : name === 'no-leader-info'
        ? refusals.noLeaderInfo()
        : name === 'not-leader'
          ? notLeader(leader)
          : undefined

const notLeader = (leader: Address | undefined): Refusal =>
  leader === undefined ? refusals.noLeaderInfo() : refusals.notLeader(leader)

/** In a batch these are errors of one append. Only that of a known leader ends the whole call. */
const textInBatch = ({ details, metadata }: Refusal): string | undefined =>
  metadata.get('exception').length > 0 ? undefined : details === 'Server Is Too Busy' ? 'Server Is Busy' : details

/** The bytes of an append as the server counts them against its bound. */
export const sizeOf = ({ countsAllBytes }: NodeSettings, { data, metadata, type }: ProposedEvent): number =>
  countsAllBytes ? data.length + metadata.length + type.length * 2 : data.length

export type { Expected }
