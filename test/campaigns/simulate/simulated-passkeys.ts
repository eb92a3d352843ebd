import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import { keyPasskey, type KeyPasskey } from '../../core/world/key-passkey.ts'
import { keys, seal } from './simulated-signatures.ts'

/** A passkey whose signatures are simulated, like those of the key that it has. */
export type SimulatedPasskey = KeyPasskey

/** Attestations are not simulated: they are of the format `none`, which no signature has, and whose check takes no time. */
export const simulatedAttestations = simpleWebAuthn({ digest: nodeDigest() })

const passkeyOf = ({ publicKey }: SigningKey, name?: string): SimulatedPasskey =>
  keyPasskey(publicKey, (message) => seal(publicKey, message), name)

/** One for each key, the same in each run. */
export const simulatedPasskeys: readonly SimulatedPasskey[] = keys.map((key) => passkeyOf(key))

/** For each of those another one that says the same id, but has the key of the next. */
export const twins: readonly SimulatedPasskey[] = keys.map(
  ({ publicKey }, n) => passkeyOf(keys[(n + 1) % keys.length] as SigningKey, publicKey), // the remainder is in the list
)
