import * as t from '../../codec/t.ts'
import { timestamp } from '../../codec/timestamp.ts'
import type { OauthProvider } from '../../organization/oauth-provider.ts'
import { shownTimes } from '../records.ts'

/** A provider as the wire shows it. Providers never change. */
export const OauthProviderView = t.named(
  'OauthProvider',
  t.fields({
    providerId: t.Uuid,
    providerName: t.string,
    issuer: t.described(t.string, 'the provider, as its tokens name it: a URL'),
    audience: t.described(t.string, 'the client of the provider for whom its tokens are'),
    subject: t.described(t.string, 'the user, as the provider names them'),
    ...shownTimes,
  }),
)
export type OauthProviderView = t.TypeOf<typeof OauthProviderView>

export const oauthProviderView = ({ createdAtMs, ...provider }: OauthProvider): OauthProviderView => ({
  ...provider,
  createdAt: timestamp(createdAtMs),
  updatedAt: timestamp(createdAtMs),
})
