import { resource } from '../../definition/resource.ts'
import { signRawPayload } from './sign-raw-payload.ts'
import { signRawPayloads } from './sign-raw-payloads.ts'
import { signers } from './signers.ts'

export { signRawPayload, signRawPayloads }

export const signingResource = resource({
  name: 'signing',
  states: [signers],
  operations: [signRawPayload, signRawPayloads],
})
