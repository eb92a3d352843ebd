/** Between the emulated log and the messages of the wire, which are those that the client's own definitions make. */
import shared from '@eventstore/db-client/generated/shared_pb.js'
import rpc from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js'
import type { Expected, LogRecord, ProposedEvent } from './event-log.ts'

type WireEvent = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage
type WireExpectation = {
  readonly hasAny: () => boolean
  readonly hasNoStream: () => boolean
  readonly hasStreamExists: () => boolean
}

/** What the server refuses of a single event, before it looks at any stream. */
export class BadEvent extends Error {}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

export const proposedEvent = (message: WireEvent): ProposedEvent => {
  const metadata = message.getMetadataMap()
  const [type, contentType] = [metadata.get('type'), metadata.get('content-type')]
  const id = message.getId()?.getString().toLowerCase() ?? ''
  if (!UUID.test(id))
    throw new BadEvent('Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).')
  if (id === EMPTY_UUID) throw new BadEvent("Empty eventId provided. (Parameter 'eventId')")
  if (type === undefined || type === '') throw new BadEvent("Empty eventType provided. (Parameter 'eventType')")
  if (contentType === undefined) throw new BadEvent("The given key 'content-type' was not present in the dictionary.")
  return { id, type, contentType, data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() }
}

const EMPTY_UUID = '00000000-0000-0000-0000-000000000000'

/** Names that the server takes for no stream. */
export const isNoStream = (name: string): boolean => name === '' || name === '$$'

export const nameIn = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')

export const identifierOf = (name: string): shared.StreamIdentifier => {
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(Buffer.from(name, 'utf8'))
  return identifier
}

/** The expectation of an append, a batch, a deletion: only the number's name differs between them. */
export const expectedIn = (options: WireExpectation, number: () => string): Expected =>
  options.hasAny() ? 'any' : options.hasNoStream() ? 'none' : options.hasStreamExists() ? 'exists' : BigInt(number())

const TICKS_PER_MS = 10_000n

const recorded = (record: LogRecord, withPosition: boolean): streams.ReadResp.ReadEvent.RecordedEvent => {
  const message = new streams.ReadResp.ReadEvent.RecordedEvent()
  const id = new shared.UUID()
  id.setString(record.id)
  message.setId(id)
  message.setStreamIdentifier(identifierOf(record.stream))
  message.setStreamRevision(`${record.revision}`)
  const position = withPosition ? `${record.position}` : UNKNOWN_POSITION
  message.setCommitPosition(position)
  message.setPreparePosition(position)
  const metadata = message.getMetadataMap()
  metadata.set('type', record.type)
  metadata.set('created', `${BigInt(record.createdMs) * TICKS_PER_MS}`)
  metadata.set(
    'content-type',
    record.contentType === 'application/json' ? record.contentType : 'application/octet-stream',
  )
  message.setData(record.data)
  message.setCustomMetadata(record.metadata)
  return message
}

/** What servers before 22.6 say where they do not look a position up. */
const UNKNOWN_POSITION = `${2n ** 64n - 1n}`

/** An event as it is read; a link beside what it points to, which can be gone. */
export type Resolved = { readonly event?: LogRecord; readonly link?: LogRecord }

export const readEvent = ({ event, link }: Resolved, withPosition: boolean): streams.ReadResp => {
  const message = new streams.ReadResp.ReadEvent()
  if (event !== undefined) message.setEvent(recorded(event, withPosition))
  if (link !== undefined) message.setLink(recorded(link, withPosition))
  const original = link ?? event
  if (withPosition && original !== undefined) message.setCommitPosition(`${original.position}`)
  else message.setNoPosition(new shared.Empty())
  const response = new streams.ReadResp()
  response.setEvent(message)
  return response
}

export const confirmation = (id: string): streams.ReadResp => {
  const message = new streams.ReadResp.SubscriptionConfirmation()
  message.setSubscriptionId(id)
  const response = new streams.ReadResp()
  response.setConfirmation(message)
  return response
}

export const caughtUp = (): streams.ReadResp => {
  const response = new streams.ReadResp()
  response.setCaughtUp(new streams.ReadResp.CaughtUp())
  return response
}

export const checkpoint = (position: bigint): streams.ReadResp => {
  const message = new streams.ReadResp.Checkpoint()
  message.setCommitPosition(`${position}`)
  message.setPreparePosition(`${position}`)
  const response = new streams.ReadResp()
  response.setCheckpoint(message)
  return response
}

export const streamNotFound = (name: string): streams.ReadResp => {
  const message = new streams.ReadResp.StreamNotFound()
  message.setStreamIdentifier(identifierOf(name))
  const response = new streams.ReadResp()
  response.setStreamNotFound(message)
  return response
}

/** The status inside of an answer to a batch: a code, a name, and details by type. */
export const status = (
  code: rpc.Status['getCode'] extends () => infer C ? C : never,
  message: string,
  details: Details,
): rpc.Status => {
  const any = new anyMessages.Any()
  any.pack(details.bytes, details.type)
  const status = new rpc.Status()
  status.setCode(code)
  status.setMessage(message)
  status.setDetails(any)
  return status
}

export type Details = { readonly type: string; readonly bytes: Uint8Array }

/** The types that a batch's error can be told apart by. */
export const details = {
  wrongExpectedVersion: (current: bigint, expected: Expected): Details => {
    const message = new shared.WrongExpectedVersion()
    if (current < 0n) message.setCurrentNoStream(new shared.Empty())
    else message.setCurrentStreamRevision(`${current}`)
    if (expected === 'any') message.setExpectedAny(new shared.Empty())
    else if (expected === 'exists') message.setExpectedStreamExists(new shared.Empty())
    else if (expected === 'none') message.setExpectedNoStream(new shared.Empty())
    else message.setExpectedStreamPosition(`${expected}`)
    return { type: 'event_store.client.WrongExpectedVersion', bytes: message.serializeBinary() }
  },
  streamDeleted: (name: string): Details => {
    const message = new shared.StreamDeleted()
    message.setStreamIdentifier(identifierOf(name))
    return { type: 'event_store.client.StreamDeleted', bytes: message.serializeBinary() }
  },
  maximumAppendSizeExceeded: (bytesMax: number): Details => {
    const message = new shared.MaximumAppendSizeExceeded()
    message.setMaxappendsize(bytesMax)
    return { type: 'event_store.client.MaximumAppendSizeExceeded', bytes: message.serializeBinary() }
  },
  badRequest: (text: string): Details => {
    const message = new shared.BadRequest()
    message.setMessage(text)
    return { type: 'event_store.client.BadRequest', bytes: message.serializeBinary() }
  },
  /** Details without content: `AccessDenied`, `Timeout`, `Unknown`. */
  plain: (name: 'AccessDenied' | 'Timeout' | 'Unknown'): Details => ({
    type: `event_store.client.${name}`,
    bytes: new Uint8Array(),
  }),
  nothing: { type: 'google.protobuf.Empty', bytes: new Uint8Array() } satisfies Details,
}
