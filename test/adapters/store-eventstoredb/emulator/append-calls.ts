/** `Append`, and `BatchAppend`, which carries many appends in one call, each with an answer and a deadline of its own. */
import {
  status as grpcStatus,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
} from '@grpc/grpc-js'
import codes from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Expected, ProposedEvent } from './event-log.ts'
import { BadEvent, details, expectedIn, identifierOf, isNoStream, nameIn, proposedEvent, status } from './messages.ts'
import { sizeOf, written, type Node, type Written } from './node.ts'
import { refusals, type Refusal } from './refusals.ts'

export type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>
export type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

export const append = (node: Node) => (call: AppendCall, answer: sendUnaryData<streams.AppendResp>) => {
  const answered = async (): Promise<Refusal | streams.AppendResp | undefined> => {
    let options: streams.AppendReq.Options | undefined
    let size = 0
    const events: ProposedEvent[] = []
    for await (const request of call as AsyncIterable<streams.AppendReq>) {
      options ??= request.getOptions()
      const denied = events.length === 0 ? node.denied(call.metadata, 'write', nameOf(options)) : undefined
      if (denied !== undefined) return denied
      const message = request.getProposedMessage()
      if (message === undefined) continue
      const event = proposedEvent(message)
      size += sizeOf(node.settings, event)
      if (size > node.settings.maxAppendSize) return refusals.maximumAppendSizeExceeded(node.settings.maxAppendSize)
      events.push(event)
    }
    // A connection that breaks ends the call as a caller would who has sent everything; a moment later it is told from that.
    for (let turn = 0; turn < TURNS && !call.cancelled; turn += 1) await nextTurn()
    if (call.cancelled || options === undefined) return refusals.threw()
    const revision = options.getRevision
    const expected = expectedIn(options, revision.bind(options))
    const stream = nameOf(options)
    if (isNoStream(stream)) return refusals.threw()
    const writing = { call, headers: call.metadata, action: 'append', stream } as const
    return appendAnswer(
      await written(node, { ...writing, write: () => node.log.append(stream, expected, events) }),
      stream,
      expected,
    )
  }
  answered().then(
    (response) =>
      response === undefined
        ? undefined
        : response instanceof streams.AppendResp
          ? answer(null, response)
          : answer(response),
    () => answer(refusals.threw()),
  )
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Two are enough where nothing else goes on. */
const TURNS = 5

const nameOf = (options: streams.AppendReq.Options | undefined): string => nameIn(options?.getStreamIdentifier())

const appendAnswer = (
  outcome: Written,
  stream: string,
  expected: Expected,
): Refusal | streams.AppendResp | undefined => {
  switch (outcome._tag) {
    case 'appended':
      return appendedAt(outcome.revision, outcome.position)
    case 'wrong-version':
      return wrongVersion(outcome.current, expected)
    case 'deleted':
      return refusals.streamDeleted(stream)
    case 'refused':
      return outcome.refusal
    case 'timeout':
      return refusals.timeout('Commit timeout')
    default:
      return undefined
  }
}

const appendedAt = (revision: bigint, position: bigint | undefined): streams.AppendResp => {
  const success = new streams.AppendResp.Success()
  if (revision < 0n) success.setNoStream(new shared.Empty())
  else success.setCurrentRevision(`${revision}`)
  if (position === undefined) success.setNoPosition(new shared.Empty())
  else {
    const at = new streams.AppendResp.Position()
    at.setCommitPosition(`${position}`)
    at.setPreparePosition(`${position}`)
    success.setPosition(at)
  }
  const response = new streams.AppendResp()
  response.setSuccess(success)
  return response
}

const wrongVersion = (current: bigint, expected: Expected): streams.AppendResp => {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (current < 0n) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(`${current}`)
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'none') wrong.setExpectedNoStream(new shared.Empty())
  else if (expected === 'exists') wrong.setExpectedStreamExists(new shared.Empty())
  else wrong.setExpectedRevision(`${expected}`)
  const response = new streams.AppendResp()
  response.setWrongExpectedVersion(wrong)
  return response
}

type Pending = {
  readonly stream: string
  readonly expected: Expected
  readonly events: ProposedEvent[]
  size: number
}

export const batchAppend = (node: Node) => (call: BatchCall) => {
  const pending = new Map<string, Pending>()
  const { code } = { code: codes.Code }

  const send = (id: string, stream: string, fill: (response: streams.BatchAppendResp) => void): void => {
    const response = new streams.BatchAppendResp()
    const uuid = new shared.UUID()
    uuid.setString(id)
    response.setCorrelationId(uuid)
    response.setStreamIdentifier(identifierOf(stream))
    fill(response)
    if (call.writable) call.write(response)
  }
  const fail = (id: string, stream: string, error: ReturnType<typeof status>): void =>
    send(id, stream, (response) => response.setError(error))
  const timeout = (): ReturnType<typeof status> => status(code.DEADLINE_EXCEEDED, 'Timeout', details.plain('Timeout'))

  /** The first message of an append. Undefined if it is answered already. */
  const begin = (id: string, options: streams.BatchAppendReq.Options): Pending | undefined => {
    const stream = nameIn(options.getStreamIdentifier())
    const denied = node.denied(call.metadata, 'write', stream)
    if (denied !== undefined) {
      // A wrong password ends the call; what a known user may not do is the failure of one append.
      if (denied.code === grpcStatus.UNAUTHENTICATED) call.emit('error', denied)
      else fail(id, stream, status(code.PERMISSION_DENIED, 'AccessDenied', details.plain('AccessDenied')))
      return undefined
    }
    const deadlineMs = options.getDeadline()?.toDate().getTime() ?? Infinity
    if (deadlineMs <= Date.now()) {
      fail(id, stream, timeout())
      return undefined
    }
    const expected = expectedIn(options, options.getStreamPosition.bind(options))
    const begun = { stream, expected, events: [], size: 0 }
    pending.set(id, begun)
    return begun
  }

  const answer = (id: string, stream: string, expected: Expected, outcome: Written): void => {
    switch (outcome._tag) {
      case 'appended':
        return send(id, stream, (response) => response.setSuccess(success(outcome.revision, outcome.position)))
      case 'wrong-version': {
        const why = details.wrongExpectedVersion(outcome.current, expected)
        return fail(id, stream, status(code.ALREADY_EXISTS, 'WrongExpectedVersion', why))
      }
      case 'deleted':
        return fail(id, stream, status(code.NOT_FOUND, 'StreamDeleted', details.streamDeleted(stream)))
      case 'refused':
        if (outcome.inBatch === undefined) return void call.emit('error', outcome.refusal)
        return fail(id, stream, status(code.OK, outcome.inBatch, details.nothing))
      case 'timeout':
        return fail(id, stream, timeout())
      case 'cut':
      case 'silent':
        return undefined
    }
  }

  const receive = async (request: streams.BatchAppendReq, id: string): Promise<void> => {
    const options = request.getOptions()
    const current = pending.get(id) ?? (options === undefined ? undefined : begin(id, options))
    if (current === undefined) return
    const { stream, expected, events } = current
    for (const message of request.getProposedMessagesList()) {
      const event = proposedEvent(message)
      current.size += sizeOf(node.settings, event)
      events.push(event)
    }
    if (current.size > node.settings.maxAppendSize) {
      pending.delete(id)
      const why = details.maximumAppendSizeExceeded(node.settings.maxAppendSize)
      return fail(id, stream, status(code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', why))
    }
    if (!request.getIsFinal()) return
    pending.delete(id)
    if (isNoStream(stream)) throw new BadEvent('eventStreamId')
    const writing = { call, headers: call.metadata, action: 'append', stream } as const
    const write = () => node.log.append(stream, expected, events)
    answer(id, stream, expected, await written(node, { ...writing, write }))
  }

  call.on('data', (request: streams.BatchAppendReq) => {
    const id = request.getCorrelationId()?.getString() ?? ''
    receive(request, id).catch((error: unknown) => {
      const text = error instanceof BadEvent ? error.message : 'Exception was thrown by handler.'
      const stream = pending.get(id)?.stream ?? ''
      fail(id, stream, status(code.INVALID_ARGUMENT, 'BadRequest', details.badRequest(text)))
    })
  })
  call.on('end', () => call.end())
  call.on('cancelled', () => pending.clear())
  call.on('error', () => pending.clear())
}

const success = (revision: bigint, position: bigint | undefined): streams.BatchAppendResp.Success => {
  const success = new streams.BatchAppendResp.Success()
  if (revision < 0n) success.setNoStream(new shared.Empty())
  else success.setCurrentRevision(`${revision}`)
  if (position === undefined) success.setNoPosition(new shared.Empty())
  else {
    const at = new shared.AllStreamPosition()
    at.setCommitPosition(`${position}`)
    at.setPreparePosition(`${position}`)
    success.setPosition(at)
  }
  return success
}
