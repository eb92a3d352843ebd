import * as t from '../../codec/t.ts'
import { invalidAt } from '../../codec/codec.ts'
import { refuse } from '../../definition/refuse.ts'
import { state, type DeepReadonly, type Organization } from '../../organization/state.ts'
import { keeps, times } from '../records.ts'
import { ClientSecret } from './client-secret.ts'
import { mustBeSet } from './must-be-set.ts'

export const Oauth2Provider = t.keyof({ OAUTH2_PROVIDER_X: null, OAUTH2_PROVIDER_DISCORD: null })

/** What stands before the id of somebody in tokens of ours: the ids of two providers may be the same. */
export const SUBJECTS = { OAUTH2_PROVIDER_X: 'x', OAUTH2_PROVIDER_DISCORD: 'discord' } as const

/** What a request gives: how the organization signs its users in with a provider. */
export const given = { provider: Oauth2Provider, clientId: t.Text, encryptedClientSecret: ClientSecret }

/** How requests with it are read: an unknown provider has a code of its own. */
export const reading = <A extends { readonly clientId: string }>(
  codec: t.Type<A, unknown, unknown>,
): ReturnType<typeof mustBeSet<A>> =>
  mustBeSet(codec, ['clientId'], ({ provider }) => {
    if (typeof provider !== 'string' || provider === '' || Oauth2Provider.is(provider)) return
    const { message, details } = invalidAt('parameters', [
      { field: 'provider', description: `expected ${Oauth2Provider.name}` },
    ])
    throw refuse('INVALID_OAUTH2_PROVIDER', message, details)
  })

const members = {
  oauth2CredentialId: t.string,
  provider: Oauth2Provider,
  clientId: t.string,
  encryptedClientSecret: t.string,
}
export const Oauth2Credential = t.fields(members)
export type Oauth2Credential = t.TypeOf<typeof Oauth2Credential>

const Kept = t.fields({ ...members, ...times })

/** The credentials of OAuth2, by id, in order of creation. */
export const oauth2Credentials = state({
  name: 'oauth2-credentials',
  version: 1,
  codec: t.mapOf(Kept),
  initial: () => new Map(),
})

export const keepOauth2Credential = keeps<Oauth2Credential>(oauth2Credentials, (one) => one.oauth2CredentialId)

/** The credential, or a refusal with the code that the wire has for it. */
export const findOauth2Credential = (id: string, organization: Organization): DeepReadonly<t.TypeOf<typeof Kept>> => {
  const found = oauth2Credentials.of(organization).get(id)
  if (found !== undefined) return found
  const { organizationId } = organization
  throw refuse(
    'OAUTH2_CREDENTIAL_NOT_FOUND',
    `unable to find OAuth2 credential ${id} in organization ${organizationId}`,
  )
}
