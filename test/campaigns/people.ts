/** Users, keys and policies as requests name them. */

/** What of a key everybody may know. */
type PublicKey = { readonly publicKey: string; readonly curve: string }

export const apiKeyOf = ({ publicKey, curve }: PublicKey, apiKeyName = 'key') => ({
  apiKeyName,
  publicKey,
  curveType: curve,
})

export const userOf = (
  userName: string,
  apiKeys: readonly ReturnType<typeof apiKeyOf>[] = [],
  userTags: readonly string[] = [],
) => ({ userName, apiKeys, authenticators: [], oauthProviders: [], userTags })

export const policyOf = (
  policyName: string,
  effect: 'ALLOW' | 'DENY',
  condition: string,
  consensus = '',
  notes = '',
) => ({ policyName, effect: `EFFECT_${effect}`, condition, consensus, notes })
