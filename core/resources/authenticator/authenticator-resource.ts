import { resource } from '../../definition/resource.ts'
import { credentials } from '../../organization/credentials.ts'
import { formerCredentials } from '../../organization/former-credentials.ts'
import { authenticatorLimits } from './authenticator-limits.ts'
import { createAuthenticators } from './create-authenticators.ts'
import { deleteAuthenticators } from './delete-authenticators.ts'
import { getAuthenticator } from './get-authenticator.ts'
import { getAuthenticators } from './get-authenticators.ts'

export { createAuthenticators, deleteAuthenticators, getAuthenticator, getAuthenticators }

export const authenticatorResource = resource({
  name: 'authenticators',
  states: [credentials, formerCredentials],
  limits: authenticatorLimits,
  operations: [createAuthenticators, deleteAuthenticators],
  queries: [getAuthenticator, getAuthenticators],
})
