import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import type { IdentityTokens } from '../../../core/ports/identity-tokens.ts'
import type { Mailer } from '../../../core/ports/mailer.ts'
import type { Oauth2 } from '../../../core/ports/oauth2.ts'
import type { Sms } from '../../../core/ports/sms.ts'
import { TE } from '../../../core/prelude.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { anIssuer, google, knownIssuers } from './issuer.ts'
import { publicHalves } from '../../../adapters/proxy/keys.ts'
import type { AuthProxyKeys } from '../../../core/ports/auth-proxy.ts'
import { PROXY_KEYS } from './proxy-keys.ts'
import { counted } from './under-way.ts'

export type SandboxPorts = {
  readonly mailer: Mailer
  readonly sms: Sms
  readonly sandboxContacts: boolean
  readonly oauth2: Oauth2
  readonly identityTokens: IdentityTokens
  readonly authProxy: AuthProxyKeys
}

/**
 * What sends mails and short messages nowhere; the contacts for trials have a code that everybody knows. At each provider of OAuth2, everybody is the
 * same one. The identity providers are those of the tests, and so is the auth proxy.
 */
export const sandboxPorts = (): SandboxPorts => ({
  authProxy: publicHalves(PROXY_KEYS),
  identityTokens: counted(knownIssuers(anIssuer, google)),
  mailer: { send: () => TE.right({ messageId: '<1@example.com>', from: 'office@example.com' }) },
  sms: { send: () => TE.right({ messageId: '1' }) },
  sandboxContacts: true,
  oauth2: { accountOf: () => TE.right({ id: '2244994945', accessToken: 'an access token of tests' }) },
})

/** The URL at which the world would find an engine of tests. */
export const PUBLIC_URL = 'https://countersign.example.com'

/** What engines of tests have beside a store and a clock. */
export const testPorts = () => ({
  signatures: counted(nodeSignatures()),
  attestations: counted(simpleWebAuthn({ digest: nodeDigest() })),
  timeZones: intlTimeZones(),
  ids: nodeIds(),
})
