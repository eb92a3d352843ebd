import { encodeBase64 } from '../../core/bytes.ts'
import { Uuid } from '../../core/codec/codec.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import type { Storage } from '../../core/ports/storage.ts'
import {
  keyRows,
  makeWebhookKey,
  publishedAt,
  PUBLISHED_FOR_MS,
  SIGNS_AFTER_MS,
  webhookKeys,
} from '../../core/resources/deployment-key/webhook-keys.ts'
import { endpointsAt } from '../../core/webhooks/beginning.ts'
import { keystoreOf } from '../keyring/keystore-keys.ts'
import { nodeKeyring } from '../keyring/node-keyring.ts'
import { keysAt, mustBeThere, placeOfServers, sealedOf } from './open-keystore.ts'
import { close, isVolatile, openToRead, writing, type BesideFlags } from './open-store.ts'
import { print, printLines, sayNotice } from './print.ts'
import { resultOf, unusable } from './stop.ts'

export type WebhookSecretOptions = BesideFlags & { readonly store: string; readonly keystore?: string }
export type RotateWebhookKeyOptions = WebhookSecretOptions & {
  /** Whether to print what was done as JSON. */
  readonly json?: boolean
}

/** Makes a new key, and deletes those that are not published any more. */
export const rotateWebhookKey = async (options: RotateWebhookKeyOptions): Promise<number> => {
  const { store, json = false } = options
  const done = await writing(
    await present(store),
    { onNotice: sayNotice, discard: 'if-empty', beside: options },
    async (storage, keep) => {
      keep()
      return withKeys(options, sealedOf(storage), rotated)
    },
  )
  if (json) print(done)
  else
    printLines([
      `Made the key ${done.key}: it is published now, and signs from ${done.signsFrom} on.`,
      `The key before it is published until ${done.oldUntil}.`,
    ])
  return 0
}

const rotated = async (keyring: Keyring, sealed: SealedRows) => {
  const nowMs = Date.now()
  const before = await resultOf(keyRows(sealed))
  if (before.length === 0) throw unusable('no server has made the first key yet: start one with the keystore')
  await resultOf(makeWebhookKey(keyring, nowMs))
  const rows = await resultOf(keyRows(sealed))
  const published = new Set(publishedAt(rows, nowMs))
  for (const row of rows) if (!published.has(row)) await resultOf(sealed.delete({ organization: '', id: row.keyId }))
  const keys = await resultOf(webhookKeys(keyring, sealed).published(nowMs))
  return {
    key: keys.at(-1)?.id ?? '',
    signsFrom: new Date(nowMs + SIGNS_AFTER_MS).toISOString(),
    oldUntil: new Date(nowMs + SIGNS_AFTER_MS + PUBLISHED_FOR_MS).toISOString(),
  }
}

/** Prints `whsec_…`: the secret in base64. */
export const webhookSecret = async (endpointId: string, options: WebhookSecretOptions): Promise<number> => {
  if (!Uuid.is(endpointId)) throw unusable('expected the id of an endpoint')
  const storage = await openToRead(await present(options.store), options)
  try {
    const sealed = sealedOf(storage)
    await mustStand(storage, endpointId)
    const secret = await withKeys(options, sealed, (keyring) =>
      resultOf(webhookKeys(keyring, sealed).secretOf(endpointId)),
    )
    printLines([`whsec_${encodeBase64(secret)}`])
    return 0
  } finally {
    await close(storage)
  }
}

/** Stops the command where the log has no such endpoint: what is told to nobody needs no secret. */
const mustStand = async ({ store }: Storage, endpointId: string): Promise<void> => {
  const last = await resultOf(store.lastPosition())
  const endpoints = await resultOf(() => endpointsAt(store, last))
  const found = endpoints.find((one) => one.endpointId === endpointId)
  if (found === undefined || found.isDeleted === true) throw unusable('there is no such endpoint')
  if (found.isFeature === true) throw unusable('what the URL of the feature is told is not signed')
}

const present = async (store: string): Promise<string> => {
  if (isVolatile(store)) throw unusable('a store in memory has its keys in memory, and they end with it')
  await mustBeThere(store)
  return store
}

const withKeys = async <A>(
  { store, keystore: named }: WebhookSecretOptions,
  sealed: SealedRows,
  work: (keyring: Keyring, sealed: SealedRows) => Promise<A>,
): Promise<A> => {
  const place = placeOfServers(named, store)
  const keyring = nodeKeyring({ sealed, keystore: keystoreOf(keysAt(place)) })
  try {
    return await work(keyring, sealed)
  } finally {
    await keyring.close()
  }
}
