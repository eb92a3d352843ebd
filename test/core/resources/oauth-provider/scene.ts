import type { Failure, Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { anIssuer, fakeIssuer, google, knownIssuers, type TokenClaims } from '../../world/issuer.ts'
import { world, type Place, type Signer, type WorldOptions } from '../../world/world.ts'
import type { Members } from '../example.ts'
import { json } from '../scene.ts'

/* A world that knows some issuers, and can tell how often it was asked for their keys. */

export const office = async (options: WorldOptions = {}) => {
  const stranger = fakeIssuer('https://stranger.example.com')
  const issuers = knownIssuers(anIssuer, google)
  const made = await world({
    resources: [...publicApi, ...erasure],
    ...options,
    ports: { identityTokens: issuers, ...options.ports },
  })
  return { ...made, stranger, issuers }
}

/** A provider by a token. */
export const byToken = (claims: TokenClaims = {}, issuer = anIssuer): Members => ({
  providerName: 'provider',
  oidcToken: issuer.token(claims),
})

/** A provider by claims. */
export const byClaims = (claims: Members = {}): Members => ({
  providerName: 'another client',
  oidcClaims: { iss: anIssuer.url, sub: 'subject', aud: 'another', ...claims },
})

/** A token of Google with a verified e-mail address. */
export const byGoogle = (email: string, claims: TokenClaims = {}): Members =>
  byToken({ email, email_verified: true, ...claims }, google)

/** Registers providers of a user. */
export const register = (place: Place, signer: Signer, userId: string, ...oauthProviders: readonly Members[]) =>
  place.submit(signer, 'create_oauth_providers', json({ userId, oauthProviders }))

/** What came of it: the code of the refusal or of the failure, or the status. */
export const came = (outcome: E.Either<Failure, { readonly status: string; readonly failure?: unknown }>): string => {
  if (E.isLeft(outcome)) return outcome.left.code
  const { failure, status } = outcome.right
  return (failure as Failure | null | undefined)?.message ?? status.replace('ACTIVITY_STATUS_', '')
}

export type Shown = {
  readonly providerId: string
  readonly providerName: string
  readonly issuer: string
  readonly audience: string
  readonly subject: string
  readonly createdAt: Json
}

/** The providers of a user, as the query lists them. */
export const providersOf = async (place: Place, userId: string): Promise<readonly Shown[]> =>
  (await place.answer(place.root, 'get_oauth_providers', { userId }))['oauthProviders'] as readonly Shown[] // as the wire has them
