/** `Delete`, after which a stream can be opened again, and `Tombstone`, after which it cannot. */
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { expectedIn, nameIn } from './messages.ts'
import { written, type Node } from './node.ts'
import { refusals, type Refusal } from './refusals.ts'

type Request = streams.DeleteReq | streams.TombstoneReq
type Answer<R> = { readonly refusal?: Refusal; readonly response?: R }
type Position = streams.DeleteResp.Position | streams.TombstoneResp.Position

export const remove =
  (node: Node) =>
  (call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>, answer: sendUnaryData<streams.DeleteResp>) => {
    const respond = (position: bigint | undefined): streams.DeleteResp => {
      const response = new streams.DeleteResp()
      if (position === undefined) response.setNoPosition(new shared.Empty())
      else response.setPosition(at(new streams.DeleteResp.Position(), position))
      return response
    }
    removed(node, call, 'soft', respond).then(
      (outcome) => (outcome === 'silent' ? undefined : answer(outcome.refusal ?? null, outcome.response)),
      () => answer(refusals.threw()),
    )
  }

export const tombstone =
  (node: Node) =>
  (
    call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
    answer: sendUnaryData<streams.TombstoneResp>,
  ) => {
    const respond = (position: bigint | undefined): streams.TombstoneResp => {
      const response = new streams.TombstoneResp()
      if (position === undefined) response.setNoPosition(new shared.Empty())
      else response.setPosition(at(new streams.TombstoneResp.Position(), position))
      return response
    }
    removed(node, call, 'hard', respond).then(
      (outcome) => (outcome === 'silent' ? undefined : answer(outcome.refusal ?? null, outcome.response)),
      () => answer(refusals.threw()),
    )
  }

const at = <P extends Position>(message: P, position: bigint): P => {
  message.setCommitPosition(`${position}`)
  message.setPreparePosition(`${position}`)
  return message
}

/** What to answer: a refusal, or a response; `silent`: nothing, ever. */
const removed = async <Q extends Request, R>(
  node: Node,
  call: ServerUnaryCall<Q, R>,
  kind: 'soft' | 'hard',
  respond: (position: bigint | undefined) => R,
): Promise<Answer<R> | 'silent'> => {
  const options = call.request.getOptions()
  if (options === undefined) return { refusal: refusals.threw() }
  const stream = nameIn(options.getStreamIdentifier())
  const denied = node.denied(call.metadata, 'delete', stream)
  if (denied !== undefined) return { refusal: denied }
  const expected = expectedIn(options, options.getRevision.bind(options))
  const writing = { call, headers: call.metadata, action: 'delete', stream } as const
  const outcome = await written(node, { ...writing, write: () => node.log.remove(stream, expected, kind) })
  switch (outcome._tag) {
    case 'appended':
      return { response: respond(outcome.position) }
    case 'wrong-version':
      return { refusal: refusals.wrongExpectedVersion(stream, expected, outcome.current) }
    case 'deleted':
      return { refusal: refusals.streamDeleted(stream) }
    case 'refused':
      return { refusal: outcome.refusal }
    case 'timeout':
      return { refusal: refusals.timeout('Commit timeout') }
    default:
      return 'silent'
  }
}
