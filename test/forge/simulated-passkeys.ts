import { simpleWebAuthn } from '../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../adapters/digest/node-digest.ts'
import type { SigningKey } from '../../adapters/signatures/signer.ts'
import { decodeHex } from '../../core/bytes.ts'
import { keyPasskey, type KeyPasskey } from '../key-passkey.ts'
import { keys, simulatedStamp } from '../simulate/simulated-signatures.ts'

/** A passkey whose signatures are simulated, like those of the key that it has. */
export type SimulatedPasskey = KeyPasskey

/** The simulated signature over a message, taken out of the stamp of a key. */
const signatureOf = (key: SigningKey, message: Uint8Array): Uint8Array => {
  const { signature } = JSON.parse(Buffer.from(simulatedStamp(key, message), 'base64url').toString()) as {
    readonly signature: string
  }
  return decodeHex(signature) ?? new Uint8Array()
}

/** Attestations are not simulated: they are of the format `none`, which no signature has. */
export const simulatedAttestations = simpleWebAuthn({ digest: nodeDigest() })

/** One for each key, the same in each run. */
export const simulatedPasskeys: readonly SimulatedPasskey[] = keys.map((key) =>
  keyPasskey(key.publicKey, (message) => signatureOf(key, message)),
)
