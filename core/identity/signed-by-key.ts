import { compactVerify, importJWK } from 'jose'
import { algorithmOf, type SigningKey } from './signing-key.ts'

/** Whether the key has signed the token: a JWS in its compact form (RFC 7515). */
export const isSignedByKey = async (token: string, key: SigningKey): Promise<boolean> => {
  const algorithm = algorithmOf(key)
  try {
    await compactVerify(token, await importJWK(key, algorithm), { algorithms: [algorithm] })
    return true
  } catch {
    return false
  }
}
