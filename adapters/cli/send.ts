import { isObject } from '../../core/codec/codec.ts'
import { FailureView } from '../../core/view/failure-view.ts'
import { readFailure } from '../../core/view/read-activity.ts'
import { ANSWER_BYTES_MAX, boundedText } from '../client/bounded-text.ts'
import { refusal, systemReason, unusable } from './stop.ts'

export type Answer = { readonly status: number; readonly text: string }

export type SendOptions = {
  /** How long the server may take for the whole answer. */
  readonly timeoutMs: number
  /** Calls the request off. */
  readonly signal?: AbortSignal | undefined
}

/** The URL of a path of a server. */
export const urlOf = (path: string, baseUrl: string | undefined): URL => {
  if (baseUrl === undefined) throw unusable('the credentials file has no baseUrl: give --url')
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw unusable(`${baseUrl} is not a URL such as http://127.0.0.1:8080`)
  return new URL(url)
}

/** Sends a stamped body. No answer in time, or one that never ends, stops the command. */
export const send = async (
  url: URL,
  body: Uint8Array,
  header: string,
  { timeoutMs, signal }: SendOptions,
): Promise<Answer> => {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-stamp': header },
      body: Buffer.from(body),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    })
    const text = await boundedText(response)
    if (text !== undefined) return { status: response.status, text }
  } catch (error) {
    if (timeout.aborted) throw refusal(`no answer from ${url.origin} within ${timeoutMs / 1000} s`)
    const reason = error instanceof Error ? (error.cause ?? error) : error
    throw refusal(`no answer from ${url.origin}: ${isNoTls(reason) ? plainAt(url) : systemReason(reason)}`)
  }
  throw refusal(`the answer from ${url.origin} has more than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB`)
}

/** Whether what came back was not TLS. The second code is that of newer versions of OpenSSL. */
const isNoTls = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_SSL_WRONG_VERSION_NUMBER' || error.code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')

const plainAt = ({ host }: URL): string => `the server there answers plain HTTP: give --url http://${host}`

/** What a person is told of a refusal: its status, and of a failure that can be read also code and message. */
export const refusalText = (path: string, { status, text }: Answer): string =>
  `the server refused ${path} with ${status}${reasonIn(jsonIn(text))}`

const reasonIn = (answer: unknown): string => {
  if (FailureView.is(answer)) return ` ${readFailure(answer).code}: ${answer.message}`
  return isObject(answer) && typeof answer['message'] === 'string' ? `: ${answer['message']}` : ''
}

/** What an answer says; `undefined` if it is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
