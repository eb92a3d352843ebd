import type { Request as EngineRequest } from '../../core/request.ts'
import { encodeUtf8 } from '../../core/bytes.ts'
import { CALLER_HEADERS, type BodyReader, type Exchange, type Platform, type ReadHeader } from './exchange.ts'
import { GONE, type Reply } from './reply.ts'
import type { RequestId } from './request-id.ts'

export const webPlatform: Platform = {
  byteLength: (text) => encodeUtf8(text).length,
  encode: encodeUtf8,
  // Not all platforms have `setImmediate`. Browsers and workers do other work before a timer, too.
  nextTurn: () =>
    new Promise((resolve) => {
      if (typeof setImmediate === 'function') setImmediate(resolve)
      else setTimeout(resolve)
    }),
}

/** A `Request` and the `Response` to it. */
export class FetchExchange implements Exchange {
  /** The response, as soon as there is one. */
  readonly answer: Promise<Response>
  /** Makes `answer` reject, if not even a refusal can be made. */
  fail: (error: unknown) => void = NOTHING
  readonly requestId: string
  isInEngine = false
  private readonly request: Request
  private readonly address: string | null | undefined
  private readonly watchers = new Set<() => void>()
  private readonly end = (): void => this.endNow()
  private handOver: (response: Response) => void = NOTHING
  private reading: Reading | undefined
  private status: number | undefined
  private sending: ReadableStreamDefaultController<Uint8Array> | undefined
  private hasEnded = false

  constructor(request: Request, address: string | null | undefined, idOf: RequestId) {
    this.request = request
    this.address = address
    this.requestId = idOf(this)
    this.answer = new Promise((resolve, reject) => {
      this.handOver = resolve
      this.fail = reject
    })
  }

  get method(): string {
    return this.request.method
  }

  header(name: ReadHeader): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  contentLength(): number | undefined {
    const text = this.request.headers.get('content-length') ?? ''
    return /^\d+$/.test(text) ? Number(text) : undefined
  }

  stamps(): EngineRequest['headers'] {
    const found: { [name: string]: string | readonly string[] } = {}
    for (const name of CALLER_HEADERS) {
      const value = this.request.headers.get(name)
      if (value !== null) found[name] = isJoined(value) ? value.split(/, */) : value
    }
    return found
  }

  connectedAddress(): string | undefined {
    return typeof this.address === 'string' ? this.address : undefined
  }

  bodyReadBefore(): 'lost' | undefined {
    return this.request.bodyUsed || this.request.body?.locked === true ? 'lost' : undefined
  }

  beginBody(): void {
    // The host's server has done that.
  }

  read(reader: BodyReader): void {
    const stream = this.request.body?.getReader()
    this.reading = { reader, stream, forgetCaller: this.whenOver(reader.abort) }
    if (this.isOver()) reader.abort()
    else void readAll(stream, reader, () => this.reading?.reader === reader)
  }

  stopReading(reader: BodyReader): void {
    if (this.reading?.reader !== reader) return
    const { stream, forgetCaller } = this.reading
    this.reading = undefined
    forgetCaller()
    stream?.cancel().catch(NOTHING) // does nothing if the stream has ended
  }

  isBeingSent(): boolean {
    return this.sending !== undefined && !this.hasEnded
  }

  isOver(): boolean {
    return this.hasEnded || this.request.signal.aborted
  }

  whenOver(callBack: () => void): () => void {
    const { signal } = this.request
    if (this.watchers.size === 0) signal.addEventListener('abort', this.end)
    this.watchers.add(callBack)
    return () => {
      this.watchers.delete(callBack)
      if (this.watchers.size === 0) signal.removeEventListener('abort', this.end)
    }
  }

  cutOff(): void {
    this.sending?.error(new Error('the caller does not read the answer'))
    this.endNow()
  }

  send(reply: Reply): number {
    if (this.status !== undefined) return this.status
    this.status = this.request.signal.aborted ? GONE : reply.status
    // Only answers that take room until they are read have somebody who waits for their end.
    const isWatched = reply.body instanceof Uint8Array && this.watchers.size > 0
    this.handOver(responseOf(this, reply, (bytes) => (isWatched ? this.stream(bytes) : bytes)))
    if (!isWatched) this.endNow()
    return this.status
  }

  /** The bytes in pieces: the next one is given when the host's server asks for it. */
  private stream(bytes: Uint8Array): ReadableStream<Uint8Array> {
    let at = 0
    return new ReadableStream(
      {
        start: (controller) => {
          this.sending = controller
        },
        pull: (controller) => {
          const piece = bytes.slice(at, at + PIECE)
          at += piece.length
          if (piece.length > 0) controller.enqueue(piece)
          if (at < bytes.length) return
          controller.close()
          this.endNow()
        },
        cancel: this.end,
      },
      { highWaterMark: 0 },
    )
  }

  private endNow(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.request.signal.removeEventListener('abort', this.end)
    const watchers = [...this.watchers]
    this.watchers.clear()
    for (const watcher of watchers) watcher()
  }
}

type Reading = {
  readonly reader: BodyReader
  readonly stream: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly forgetCaller: () => void
}

/** How many bytes of a long answer are given at once. */
const PIECE = 64 * 1024
const NOTHING = (): void => undefined

/** Gives the pieces of a stream to the reader, while it wants them. */
const readAll = async (
  stream: ReadableStreamDefaultReader<Uint8Array> | undefined,
  { take, finish, abort }: BodyReader,
  isWanted: () => boolean,
): Promise<void> => {
  try {
    while (isWanted()) {
      const { done, value } = (await stream?.read()) ?? { done: true, value: undefined }
      if (!isWanted()) return
      if (done) return finish()
      if (!ArrayBuffer.isView(value)) throw new TypeError('expected a body of bytes')
      take(value)
    }
  } catch {
    abort()
  }
}

/** Values of one header arrive joined with commas. A stamp in JSON, such as that of a passkey, has commas itself; all others have none. */
const isJoined = (value: string): boolean => !value.startsWith('{') && value.includes(',')

const responseOf = (
  { method, requestId }: FetchExchange,
  { status, headers: all, body }: Reply,
  bodyOf: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | ReadableStream,
): Response => {
  const headers = { ...all, 'X-Request-Id': requestId }
  if (body === null) return new Response(null, { status, headers })
  const bytes = typeof body === 'string' ? encodeUtf8(body) : body
  const init = { status, headers: { ...headers, 'Content-Length': String(bytes.length) } }
  return new Response(method === 'HEAD' ? null : bodyOf(bytes), init)
}
