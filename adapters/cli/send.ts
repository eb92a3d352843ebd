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
    throw refusal(`no answer from ${url.origin}: ${systemReason(reason)}`)
  }
  throw refusal(`the answer from ${url.origin} has more than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB`)
}
