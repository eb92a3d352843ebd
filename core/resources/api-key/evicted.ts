import { isExpired, type ApiKey } from '../../organization/credential.ts'
import { isLongLived, type NewApiKey } from './new-api-keys.ts'

/** The keys that make room for new ones: expired keys first, then the oldest. */
export const evicted = (
  existing: readonly ApiKey[],
  added: readonly NewApiKey[],
  expiringMax: number,
  atMs: number,
): string[] => {
  const entering = added.filter((key) => !isLongLived(key)).length
  if (entering === 0) return []
  const expiring = existing.filter((key) => !isLongLived(key)) // in order of creation
  const leaving = Math.max(0, expiring.length + entering - expiringMax)
  const [expired, alive] = [
    expiring.filter((key) => isExpired(key, atMs)),
    expiring.filter((key) => !isExpired(key, atMs)),
  ]
  return [...expired, ...alive].slice(0, leaving).map(({ credentialId }) => credentialId)
}
