import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../../bytes.ts'
import { failure, type Failure } from '../../failure.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { onceAnswered } from '../../ports/once-answered.ts'
import type { SealedRows } from '../../ports/sealed-rows.ts'
import { TE, pipe } from '../../prelude.ts'
import { idOf } from './deployment-keys.ts'
import { ROW_CURVE, rowPlace, rowSecret, rowSignature } from './row-signature.ts'
import { ROW, SECRET, webhookRow } from './webhook-rows.ts'

/*
 * The keys that sign what is told to endpoints: of Ed25519, in sealed rows whose names say since when they are there. A new one is published at once,
 * and signs when everybody who keeps the published keys for a day has it. The one before stays published for a while.
 */

const HOUR_MS = 60 * 60 * 1000
/** From when on a new key signs. */
export const SIGNS_AFTER_MS = 24 * HOUR_MS
/** How long an old one is published after that. */
export const PUBLISHED_FOR_MS = 7 * 24 * HOUR_MS

/** What is public of a key; `publicKey`: 32 bytes as hex. */
export type WebhookKey = { readonly id: string; readonly publicKey: string }

/** A key by its row, and since when it is there. */
export type KeyRow = { readonly keyId: string; readonly sinceMs: number }

/** All keys, the oldest first. */
export const keyRows = (sealed: Pick<SealedRows, 'list'>): TE.TaskEither<Failure, readonly KeyRow[]> =>
  pipe(
    sealed.list({ organization: '', id: ROW }, KEYS_MAX),
    TE.map((rows) =>
      rows
        .filter((row) => !('isGone' in row) && row.organization === '' && /^webhook\.[0-9]+$/.test(row.id))
        .map(({ id }) => ({ keyId: id, sinceMs: Number(id.slice(ROW.length)) }))
        .toSorted((a, b) => a.sinceMs - b.sinceMs),
    ),
  )
const KEYS_MAX = 1_000

/** The key that signs at a time. */
export const signingAt = (keys: readonly KeyRow[], nowMs: number): KeyRow | undefined =>
  keys.findLast(({ sinceMs }) => sinceMs === 0 || sinceMs + SIGNS_AFTER_MS <= nowMs) ?? keys[0]

/** The keys that are published at a time. */
export const publishedAt = (keys: readonly KeyRow[], nowMs: number): readonly KeyRow[] =>
  keys.filter((_, n) => {
    const next = keys[n + 1]
    return next === undefined || next.sinceMs + SIGNS_AFTER_MS + PUBLISHED_FOR_MS > nowMs
  })

export type WebhookKeys = {
  readonly published: (nowMs: number) => TE.TaskEither<Failure, readonly WebhookKey[]>
  /** The id of the key that signs at a time. */
  readonly signer: (nowMs: number) => TE.TaskEither<Failure, KeyRow & WebhookKey>
  /** The signature of Ed25519, 64 bytes. */
  readonly sign: (key: Pick<KeyRow, 'keyId'>, message: Uint8Array) => TE.TaskEither<Failure, Uint8Array>
  /** The secret that the deployment and the receiver behind an endpoint share, 32 bytes. It is the same for ever. */
  readonly secretOf: (endpointId: string) => TE.TaskEither<Failure, Uint8Array>
}

export const webhookKeys = (keyring: Keyring, sealed: Pick<SealedRows, 'list'>): WebhookKeys => {
  const known = new Map<string, WebhookKey>()
  const publicOf = ({ keyId }: KeyRow): TE.TaskEither<Failure, WebhookKey> => {
    const found = known.get(keyId)
    if (found !== undefined) return TE.right(found)
    return pipe(
      keyring.publicKeys(rowPlace(keyId), [{ curve: ROW_CURVE }]),
      TE.map(([publicKey = '']) => {
        const key = { id: idOf(publicKey), publicKey }
        known.set(keyId, key)
        return key
      }),
    )
  }
  const secret = onceAnswered(rowSecret(keyring, SECRET, SECRET))
  return {
    published: (nowMs) =>
      pipe(
        keyRows(sealed),
        TE.flatMap((keys) => TE.traverseSeqArray(publicOf)(publishedAt(keys, nowMs))),
      ),
    signer: (nowMs) =>
      pipe(
        keyRows(sealed),
        TE.flatMap((keys) => {
          const row = signingAt(keys, nowMs)
          return row === undefined ? TE.left(noKey) : TE.map((key: WebhookKey) => ({ ...row, ...key }))(publicOf(row))
        }),
      ),
    sign: ({ keyId }, message) => rowSignature(keyring, keyId, message),
    secretOf: (endpointId) =>
      pipe(
        secret,
        TE.map((bytes) => hmac(sha256, bytes, encodeUtf8(endpointId))),
      ),
  }
}

const noKey = failure('KEY_MISSING', 'there is no key that signs webhooks')

/** Makes a key that signs later. */
export const makeWebhookKey = (keyring: Keyring, nowMs: number): TE.TaskEither<Failure, void> =>
  keyring.makeKey(rowPlace(webhookRow(nowMs)), ROW_CURVE)
