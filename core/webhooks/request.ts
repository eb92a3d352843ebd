import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concat, encodeBase64, encodeHex, encodeUtf8 } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { WebhookKeys } from '../resources/deployment-key/webhook-keys.ts'
import { EVENT_TYPE, type EndpointRow, type Queued } from './rows.ts'

type Headers = { readonly [name: string]: string }
type Told = Pick<Queued, 'eventId'>

const VERSION = '1'
const [ALGORITHM, SIGNATURE_VERSION] = ['ed25519', 'v1']

/** The headers of a delivery: the signature of the public API, and the two of Standard Webhooks. The URL of a feature gets none of them. */
export const headersOf = async (
  keys: WebhookKeys | undefined,
  { organizationId, endpointId, isFeature }: EndpointRow,
  { eventId }: Told,
  body: Uint8Array,
  nowMs: number,
): Promise<E.Either<Failure, Headers>> => {
  const plain = { 'Content-Type': 'application/json', 'User-Agent': 'Countersign' }
  if (isFeature === true) return E.right(plain)
  if (keys === undefined) return E.left(noKeyring)
  const key = await keys.signer(nowMs)()
  if (E.isLeft(key)) return key
  const { id: keyId } = key.right
  const timestampMs = String(nowMs)
  const seconds = String(Math.floor(nowMs / 1000))
  const start = [SIGNATURE_VERSION, ALGORITHM, keyId, timestampMs, eventId, ''].join('.')
  const signature = await keys.sign(key.right, concat([encodeUtf8(start), body]))()
  if (E.isLeft(signature)) return signature
  const standard = concat([encodeUtf8(`${eventId}.${seconds}.`), body])
  const asymmetric = await keys.sign(key.right, standard)()
  if (E.isLeft(asymmetric)) return asymmetric
  const secret = await keys.secretOf(endpointId)()
  if (E.isLeft(secret)) return secret
  const symmetric = hmac(sha256, secret.right, standard)
  return E.right({
    ...plain,
    'X-Turnkey-Organization-Id': organizationId,
    'X-Turnkey-Event-Type': EVENT_TYPE,
    'X-Turnkey-Timestamp': timestampMs,
    'X-Turnkey-Webhook-Version': VERSION,
    'X-Turnkey-Event-Id': eventId,
    'X-Turnkey-Signature-Key-Id': keyId,
    'X-Turnkey-Signature-Algorithm': ALGORITHM,
    'X-Turnkey-Signature-Version': SIGNATURE_VERSION,
    'X-Turnkey-Signature': encodeHex(signature.right),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${encodeBase64(symmetric)} v1a,${encodeBase64(asymmetric.right)}`,
  })
}

const noKeyring = failure('UNSUPPORTED', 'nothing signs webhooks here: the server has no keystore')
