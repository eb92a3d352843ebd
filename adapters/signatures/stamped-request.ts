import { encodeUtf8 } from '../../core/bytes.ts'
import type { Json } from '../../core/failure.ts'
import type { Request } from '../../core/request.ts'
import { stamp, type SigningKey, type StampOptions } from './signer.ts'

/**
 * Writes a body as JSON and stamps those bytes: the result is a request for `engine.submit` and `engine.query`.
 *
 * @example engine.query('whoami', stampedRequest(key, { organizationId }))
 */
export const stampedRequest = (
  key: SigningKey,
  body: { readonly [member: string]: Json },
  options?: StampOptions,
): Request => {
  const bytes = encodeUtf8(JSON.stringify(body))
  return { headers: { 'x-stamp': stamp(key, bytes, options) }, body: bytes, address: null }
}
