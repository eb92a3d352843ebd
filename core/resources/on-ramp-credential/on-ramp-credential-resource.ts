import { resource } from '../../definition/resource.ts'
import { createFiatOnRampCredential } from './create-fiat-on-ramp-credential.ts'
import { deleteFiatOnRampCredential } from './delete-fiat-on-ramp-credential.ts'
import { listFiatOnRampCredentials } from './list-fiat-on-ramp-credentials.ts'
import { onRampCredentialLimits } from './on-ramp-credential-limits.ts'
import { onRampCredentials } from './on-ramp-credentials.ts'
import { updateFiatOnRampCredential } from './update-fiat-on-ramp-credential.ts'

export {
  createFiatOnRampCredential,
  deleteFiatOnRampCredential,
  listFiatOnRampCredentials,
  onRampCredentials,
  updateFiatOnRampCredential,
}

export const onRampCredentialResource = resource({
  name: 'on-ramp-credentials',
  states: [onRampCredentials],
  limits: onRampCredentialLimits,
  operations: [createFiatOnRampCredential, updateFiatOnRampCredential, deleteFiatOnRampCredential],
  queries: [listFiatOnRampCredentials],
})
