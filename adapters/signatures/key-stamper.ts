import type { Stamper } from '../../core/door/transport.ts'
import { stamper, type SigningKey, type StampOptions } from './signer.ts'

/** Stamps for a client, with a key. The key is parsed once. */
export const keyStamper = (key: SigningKey, options?: StampOptions): Stamper => {
  const stamp = stamper(key, options)
  const { publicKey } = key
  return Object.assign((body: Uint8Array) => ({ name: 'X-Stamp', value: stamp(body) }), { publicKey })
}
