import { encodeUtf8 } from '../../../../core/bytes.ts'
import type { Stamper } from '../../../../core/door/transport.ts'
import { failureCodes } from '../../../../core/failure-codes.ts'
import { isOwnCode, type Failure, type Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { posting } from '../../../client/http-transport.ts'
import { texts } from '../texts.ts'

/** What the server has refused, or why there is no answer. The message is for people, and says what one can do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string

  constructor({ code, message }: Pick<Failure, 'code' | 'message'>) {
    const advice = texts.advice[code] ?? (isOwnCode(code) ? failureCodes[code].text : '')
    super([`${code}: ${message.replace(/\.?$/, '.')}`, advice].join(' ').trim())
    this.code = code
  }
}

/** The way to a server. What it refuses rejects with `Refused`. */
export type Server = {
  readonly url: string
  /** Stamps exactly the bytes of this text, and sends them to a path behind `/public/v1/`. */
  readonly send: (path: string, body: string, stamper: Stamper, options?: SendOptions) => Promise<Json>
  /** Its OpenAPI document, read once. */
  readonly openApi: () => Promise<Json>
  /** The names of the operations and queries that it offers. */
  readonly offers: () => Promise<ReadonlySet<string>>
  /** How far the clock of this device is before the one of the server, in milliseconds; undefined as long as no answer has told. */
  readonly clockAheadMs: () => number | undefined
}

export type SendOptions = {
  /** Whether to send the same bytes again where no answer comes. Default: no. */
  readonly again?: boolean
  readonly signal?: AbortSignal
}

export const serverOf = (url: string): Server => {
  let aheadMs: number | undefined
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' })
    const date = Date.parse(response.headers.get('Date') ?? '') // in whole seconds, and hidden from pages of other origins
    if (Number.isFinite(date)) aheadMs = Date.now() - date
    return response
  }
  const once = posting({ url, fetch: watched, timeoutMs: TIMEOUT_MS, retriesMax: 0 })
  const again = posting({ url, fetch: watched, timeoutMs: TIMEOUT_MS })
  let read: Promise<Json> | undefined
  const openApi = (): Promise<Json> =>
    (read ??= documentAt(watched, `${url}/openapi.json`).catch((error: unknown) => {
      read = undefined
      throw error
    }))
  return {
    url,
    send: async (path, body, stamper, options = {}) => {
      const bytes = encodeUtf8(body)
      const stamp = await stamper(bytes)
      const answer = await (options.again === true ? again : once)(path, { body: bytes, stamp }, options.signal)
      if (E.isLeft(answer)) throw new Refused(answer.left)
      return answer.right
    },
    openApi,
    offers: async () => offeredBy(await openApi()),
    clockAheadMs: () => aheadMs,
  }
}

const TIMEOUT_MS = 20_000

const documentAt = async (send: typeof fetch, url: string): Promise<Json> => {
  const response = await send(url, { redirect: 'error' }).catch(() => undefined)
  if (response?.ok !== true) throw new Refused({ code: 'UNAVAILABLE', message: `no answer from ${url}` })
  return (await response.json()) as Json // JSON is what it reads
}

/** The last parts of the paths of a document, such as `create_user_tag` and `list_users`. */
const offeredBy = (document: Json): ReadonlySet<string> => {
  const paths = typeof document === 'object' && document !== null && 'paths' in document ? document.paths : {}
  return new Set(Object.keys(paths ?? {}).flatMap((path) => /\/(?:submit|query)\/([a-z0-9_]+)$/.exec(path)?.[1] ?? []))
}

/** What to say of an error. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
