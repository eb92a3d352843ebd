import { encodeUtf8 } from '../bytes.ts'
import type { Caused } from '../countersign-error.ts'
import type { Engine } from '../engine.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import { keptTimes, type KeptTimes } from './kept-times.ts'
import type { Attend } from './promised-engine.ts'

/** A header that signs the bytes of a body. */
export type Stamp = { readonly name: string; readonly value: string }

/** Signs the exact bytes of a body: with a key, or by asking a device. */
export type Stamper = {
  (body: Uint8Array): Stamp | Promise<Stamp>
  /** Stampers with the same public key count as one caller. Without it, each stamper is a caller of its own. */
  readonly publicKey?: string
}

/** A body with its stamp. */
export type Stamped = { readonly body: Uint8Array; readonly stamp: Stamp }

/** The way of a client to an engine: in the same process, or over HTTP. */
export type Transport = {
  readonly submit: (path: string, request: Stamped, signal?: AbortSignal) => Promise<E.Either<Caused, ActivityView>>
  readonly query: (path: string, request: Stamped, signal?: AbortSignal) => Promise<E.Either<Caused, Json>>
  /** A time in milliseconds that no other request of this transport has: two requests that are equal byte by byte are one. */
  readonly nextMs: () => number
  /** The times that idempotency keys stand for. */
  readonly kept: KeptTimes
  /** Waits for so long, in milliseconds; ends early if the signal aborts. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Gives the time of a clock, but never the same twice. */
export const increasing = (nowMs: () => number): (() => number) => {
  let last = 0
  return () => (last = Math.max(nowMs(), last + 1))
}

/** The way to an engine in the same process. */
export const toEngine = (
  { submit, query }: Pick<Engine, 'submit' | 'query'>,
  time: Pick<Transport, 'nextMs' | 'pause'>,
  attend: Attend,
): Transport => {
  const requestOf = ({ body, stamp: { name, value } }: Stamped) => ({ headers: { [name]: value }, body, address: null })
  const options = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
  return {
    ...time,
    kept: keptTimes(),
    submit: (path, request, signal) => attend(submit(path, requestOf(request), options(signal))()),
    query: (path, request, signal) => attend(query(path, requestOf(request), options(signal))()),
  }
}

/** Writes a body, and stamps those bytes. */
export const stamped = async (stamper: Stamper, body: Json): Promise<Stamped> => {
  const bytes = encodeUtf8(JSON.stringify(body))
  return { body: bytes, stamp: await stamper(bytes) }
}

/** The failure of a call that its signal has ended. */
export const aborted: Failure = failure('ABORTED', 'the caller does not wait any longer')
