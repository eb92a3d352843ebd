import { port } from '../../definition/port.ts'
import { refuse, refusal, valueOf } from '../../definition/refuse.ts'
import { holdsAt, invalidToken, readIdentityToken, type IdentityToken } from '../../identity/identity-token.ts'
import { isSignedByKey } from '../../identity/signed-by-key.ts'
import type { SigningKey } from '../../identity/signing-key.ts'
import type { IdentityTokens } from '../../ports/identity-tokens.ts'

/* What operations do with the identity tokens of their requests: they read them at once, and their work finds the keys that have signed them. */

export const needsIdentityTokens = { identityTokens: port<IdentityTokens>() }

/**
 * What a token says, if it holds now. Nobody has said yet that its provider has signed it.
 *
 * @param atMs  left out where it held before, and need not hold any more
 */
export const tokenIn = (token: string, { atMs }: { readonly atMs?: number | undefined }): IdentityToken => {
  const read = readIdentityToken(token)
  if (read === undefined || (atMs !== undefined && !holdsAt(read, atMs))) throw refusal(invalidToken)
  return read
}

/** The keys that have signed the tokens, in order: an audit verifies the signatures by them, and takes it on trust whose keys they are. */
export const keysOf = async (
  tokens: readonly string[],
  { identityTokens }: { readonly identityTokens?: IdentityTokens | undefined },
  signal: AbortSignal,
): Promise<SigningKey[]> => {
  if (tokens.length > 0 && identityTokens === undefined) throw refuse.unsupported('oidcToken')
  const keys: SigningKey[] = []
  for (const token of tokens) {
    const key = await identityTokens?.keyOf(token, signal)()
    if (key !== undefined) keys.push(valueOf(key))
  }
  return keys
}

/** Whether each key has signed the token in its place. */
export const areSignedBy = async (tokens: readonly string[], keys: readonly SigningKey[]): Promise<boolean> => {
  if (tokens.length !== keys.length) return false
  const signed = await Promise.all(keys.map((key, index) => isSignedByKey(tokens[index] ?? '', key)))
  return signed.every(Boolean)
}
