import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onRampCredentials, OnRampResult } from './on-ramp-credentials.ts'

export const deleteFiatOnRampCredential = operation({
  type: 'ACTIVITY_TYPE_DELETE_FIAT_ON_RAMP_CREDENTIAL',
  path: 'delete_fiat_on_ramp_credential',
  summary: 'Deletes the keys of a provider that sells for fiat money.',
  resource: 'ON_RAMP_CREDENTIALS',
  action: 'DELETE',
  intent: t.fields({ fiatOnrampCredentialId: t.Uuid }),
  result: OnRampResult,
  change: t.fields({ fiatOnrampCredentialId: t.string }),

  execute: (intent, { find }) => {
    find('fiat on-ramp credential', onRampCredentials, intent.fiatOnrampCredentialId)
    return { result: { fiatOnRampCredentialId: intent.fiatOnrampCredentialId }, change: intent }
  },

  evolve: (draft, { fiatOnrampCredentialId }) => {
    onRampCredentials.in(draft).delete(fiatOnrampCredentialId)
  },
})
