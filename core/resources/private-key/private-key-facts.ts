import type { PrivateKey } from './private-keys.ts'

/** A private key as policies see it. */
export const privateKeyFact = ({ privateKeyId, privateKeyName, tagIds, imported, exported }: PrivateKey) => ({
  id: privateKeyId,
  label: privateKeyName,
  tags: [...tagIds],
  imported,
  exported,
})
