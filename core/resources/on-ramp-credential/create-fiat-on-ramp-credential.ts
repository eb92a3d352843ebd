import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkQuota } from '../check-quota.ts'
import { onRampCredentialLimits } from './on-ramp-credential-limits.ts'
import {
  given,
  givenMaybe,
  keepOnRampCredential,
  needs,
  OnRampCredential,
  onRampCredentials,
  OnRampResult,
} from './on-ramp-credentials.ts'

export const createFiatOnRampCredential = operation({
  type: 'ACTIVITY_TYPE_CREATE_FIAT_ON_RAMP_CREDENTIAL',
  path: 'create_fiat_on_ramp_credential',
  summary: 'Keeps the keys that a provider which sells for fiat money gave to the organization.',
  resource: 'ON_RAMP_CREDENTIALS',
  action: 'CREATE',
  intent: t.fields(given, { ...givenMaybe, sandboxMode: t.boolean }, needs),
  result: OnRampResult,
  change: OnRampCredential,

  execute: (intent, context) => {
    const { organization, ids } = context
    const { onRampCredentials: most } = onRampCredentialLimits.of(context)
    checkQuota(onRampCredentials.of(organization).size + 1, most, 'fiat on-ramp credentials')
    const id = ids()
    const { sandboxMode = false } = intent
    return { result: { fiatOnRampCredentialId: id }, change: { ...intent, fiatOnrampCredentialId: id, sandboxMode } }
  },

  evolve: keepOnRampCredential,
})
