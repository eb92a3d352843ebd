import type { SigningKey } from '../../adapters/signatures/signer.ts'
import type { Json } from '../../core/failure.ts'
import { keys } from './simulated-signatures.ts'
import type { Truth } from './truth.ts'

/** Who can sign, and the ids of their users, as the log says up to there. */
export const peopleAt = ({ events }: Truth, head: bigint): ReadonlyMap<SigningKey, string> => {
  const people = new Map<SigningKey, string>()
  for (const event of events) {
    if (event.sequence > head) break
    if (event.type === 'ActivityCompleted') learn(event.data.change, people)
  }
  return people
}

/** The changes that make users name them with their keys. */
const learn = (change: unknown, people: Map<SigningKey, string>): void => {
  if (typeof change !== 'object' || change === null || !('users' in change) || !Array.isArray(change.users)) return
  const made = change.users as readonly {
    readonly userId: string
    readonly apiKeys: readonly { readonly publicKey: string }[]
  }[] // the operations of users write it
  for (const user of made) {
    const key = keys.find(({ publicKey }) => user.apiKeys.some((own) => own.publicKey === publicKey))
    if (key !== undefined) people.set(key, user.userId)
  }
}

/** The parameters for a new user with this key. */
export const newUser = ({ publicKey }: SigningKey): Json => ({
  userName: `user ${publicKey.slice(0, 8)}`,
  apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})
