import * as t from '../../codec/t.ts'
import type { PerformContext } from '../../definition/perform.ts'
import { SigningKey } from '../../identity/signing-key.ts'
import { insideWork } from '../inside-work.ts'
import { areSignedBy, keysOf, needsIdentityTokens } from './token-keys.ts'

/** The keys that have signed the tokens of a request, in their order. */
export const TokenKeys = t.fields({ keys: t.array(SigningKey) })
export type TokenKeys = t.TypeOf<typeof TokenKeys>

/** What the work brings for a request without tokens. */
export const noKeys = (tokens: readonly string[]): TokenKeys | undefined =>
  tokens.length === 0 ? { keys: [] } : undefined

/** The work of registrations: `check` gives it the tokens, and it finds who has signed them. */
export const tokenWork = {
  ...insideWork,
  needs: needsIdentityTokens,
  whenMissing: 'unsupported',
  performed: TokenKeys,
  run: async (tokens: readonly string[], { ports, signal }: PerformContext<typeof needsIdentityTokens>) => ({
    keys: await keysOf(tokens, ports, signal),
  }),
} as const

export const verifyTokens = ({ keys }: TokenKeys, _: unknown, tokens: readonly string[]): Promise<boolean> =>
  areSignedBy(tokens, keys)
