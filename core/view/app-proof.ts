import * as t from 'io-ts'
import { described, named } from '../codec/described.ts'
import { fields } from '../codec/fields.ts'

/** What the deployment has signed of an activity that is completed. */
export const AppProof = named(
  'AppProof',
  fields({
    scheme: t.literal('SIGNATURE_SCHEME_EPHEMERAL_KEY_P256'),
    publicKey: described(t.string, 'that of the purpose app-proof: an encryption and a signing key, in hexadecimal'),
    proofPayload: described(t.string, 'the text of JSON that was signed'),
    signature: described(t.string, 'r and s of ECDSA over the SHA-256 of the text, in hexadecimal'),
  }),
)
export type AppProof = t.TypeOf<typeof AppProof>

/** An address that a proof is made for. */
export type ProvedAddress = {
  /** Of the organization that has it, if it is another one than that of the activity. */
  readonly organizationId?: string | undefined
  readonly walletId?: string | undefined
  readonly derivationPath?: string | undefined
  readonly address: string
}
