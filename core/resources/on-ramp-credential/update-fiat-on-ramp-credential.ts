import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import {
  given,
  givenMaybe,
  keepOnRampCredential,
  needs,
  OnRampCredential,
  onRampCredentials,
  OnRampResult,
} from './on-ramp-credentials.ts'

/** Whether it is for the sandbox stays as it was created. */
export const updateFiatOnRampCredential = operation({
  type: 'ACTIVITY_TYPE_UPDATE_FIAT_ON_RAMP_CREDENTIAL',
  path: 'update_fiat_on_ramp_credential',
  summary: 'Replaces the keys of a provider that sells for fiat money.',
  resource: 'ON_RAMP_CREDENTIALS',
  action: 'UPDATE',
  intent: t.fields({ fiatOnrampCredentialId: t.Uuid, ...given }, givenMaybe, needs),
  result: OnRampResult,
  change: OnRampCredential,

  execute: (intent, { find }) => {
    const id = intent.fiatOnrampCredentialId
    const { sandboxMode } = find('fiat on-ramp credential', onRampCredentials, id)
    return { result: { fiatOnRampCredentialId: id }, change: { ...intent, sandboxMode } }
  },

  evolve: keepOnRampCredential,
})
