import { createHash } from 'node:crypto'
import { generateKey, type SigningKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { eventsOf } from '../../command/history.ts'
import { fakeIssuer, knownIssuers, type Issuer, type TokenClaims } from '../../world/issuer.ts'
import { testClock, world, type Person, type Place, type TestClock, type WorldOptions } from '../../world/world.ts'

/* Users who have accounts at identity providers of tests. */

/** What a token is bound to: the hash of the text of a key. */
export const nonceOf = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex')

export const newKey = (): SigningKey => generateKey('API_KEY_CURVE_P256')

/** A clock that goes on with each reading, as clocks do: what rests on it differs between the turns of an activity. */
export const movingClock = (): TestClock => {
  const clock = testClock()
  let readings = 0
  return { ...clock, now: () => clock.now() + (readings += 1) }
}

/** Registers an account, by a token of its provider. */
export const register = async (place: Place, person: Person, oidcToken: string): Promise<void> =>
  void (await place.done(person, 'create_oauth_providers', {
    userId: person.userId,
    oauthProviders: [{ providerName: 'account', oidcToken }],
  }))

/** Ada has an account at one provider; the other is known, too. */
export const withAccounts = async (options: WorldOptions = {}) => {
  const [issuer, other] = [fakeIssuer('https://one.example.com'), fakeIssuer('https://other.example.com', 'OKP')]
  const identityTokens = knownIssuers(issuer, other)
  const made = await world({ testClock: movingClock(), ...options, ports: { identityTokens, ...options.ports } })
  const ada = await made.enrol('ada')
  await register(made, ada, issuer.token(ADA))
  return { ...made, issuer, other, identityTokens, ada }
}

/** As the tokens of the providers name Ada. */
export const ADA = { sub: 'ada-at-one', aud: 'our-client' }

/** A token about Ada, for a key of a client. */
export const tokenFor = (issuer: Issuer, publicKey: string, claims: TokenClaims = {}): string =>
  issuer.token({ ...ADA, nonce: nonceOf(publicKey), ...claims })

/** How many events the log has. */
export const countOf = async (w: Parameters<typeof eventsOf>[0]): Promise<number> => (await eventsOf(w)).length

/** The two ways to sign in, by what they ask of a token that is bound to a key. */
export const WAYS = {
  oauth_login: (oidcToken: string, publicKey: string): Json => ({ oidcToken, publicKey }),
  oauth: (oidcToken: string, targetPublicKey: string): Json => ({ oidcToken, targetPublicKey }),
} as const
export const PATHS = ['oauth_login', 'oauth'] as const
