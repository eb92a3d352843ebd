import type { IncomingMessage } from 'node:http'
import { failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { HandlerSettings } from './options.ts'
import { errorReply, type Reply } from './reply.ts'

/** Why a body is refused before a byte of it is read; `undefined` where it is not. */
export const refusalOfBody = (
  { headers }: IncomingMessage,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): Reply | undefined => {
  const { expect, 'content-encoding': encoding } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return errorReply(failure('UNSUPPORTED', 'the only expectation that can be met is 100-continue'), { status: 417 })
  // What was signed are the bytes that arrive: nothing may stand between.
  if (encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity')
    return errorReply(failure('UNSUPPORTED', 'the body must arrive without content encoding'), { status: 415 })
  return isTooLong(headers['content-length'], bodyBytesMax) ? tooLarge(bodyBytesMax) : undefined
}

/** Whether what is left of a request is worth reading for the sake of its connection: it is known, and not much. */
export const isDrainable = (
  { headers, complete }: IncomingMessage,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): boolean =>
  complete ||
  (headers.expect === undefined &&
    headers['transfer-encoding'] === undefined &&
    !isTooLong(headers['content-length'], bodyBytesMax))

/** Reads the body as it arrived, up to the limits of size and time. */
export const readBody = (
  request: IncomingMessage,
  { bodyBytesMax, requestTimeoutMs }: Pick<HandlerSettings, 'bodyBytesMax' | 'requestTimeoutMs'>,
): Promise<E.Either<Reply, Uint8Array>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = (outcome: E.Either<Reply, Uint8Array>): void => {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('close', abort)
      resolve(outcome)
    }
    const take = (chunk: Buffer): void => {
      length += chunk.length
      if (length > bodyBytesMax) settle(E.left(tooLarge(bodyBytesMax)))
      else chunks.push(chunk)
    }
    const finish = (): void => settle(E.right(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    const abort = (): void => settle(E.left(aborted))
    const timer = setTimeout(() => settle(E.left(tooSlow)), requestTimeoutMs)
    // A caller who goes away makes the request fail, too; `close` says it in any case.
    request.on('error', () => undefined)
    request.on('data', take).on('end', finish).on('close', abort)
  })

/** The request did not arrive in time. */
export const tooSlow = errorReply(failure('ABORTED', 'the request took too long to arrive'), {
  status: 408,
  closes: true,
})

const aborted = errorReply(failure('ABORTED', 'the caller is gone'), { closes: true })

const tooLarge = (bodyBytesMax: number): Reply =>
  errorReply(failure('REQUEST_TOO_LARGE', `the body must have at most ${bodyBytesMax} bytes`), { closes: true })

const isTooLong = (contentLength: string | undefined, bodyBytesMax: number): boolean =>
  contentLength !== undefined && Number(contentLength) > bodyBytesMax
