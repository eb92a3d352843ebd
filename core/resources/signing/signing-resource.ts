import { resource } from '../../definition/resource.ts'
import { signRawPayload } from './sign-raw-payload.ts'
import { signRawPayloads } from './sign-raw-payloads.ts'
import { signTransaction } from './sign-transaction.ts'
import { signers } from './signers.ts'

export { signRawPayload, signRawPayloads, signTransaction }

export const signingResource = resource({
  name: 'signing',
  states: [signers],
  operations: [signRawPayload, signRawPayloads, signTransaction],
})
