import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import type { StampHeader } from '../../../core/request.ts'
import { simulatedPasskeys, twins, type SimulatedPasskey } from './simulated-passkeys.ts'
import { keys, simulatedStamp } from './simulated-signatures.ts'

/** What somebody stamps with: a key or a passkey, whether it is registered or not. */
export type Signer = {
  /** By which stamps name it. Two passkeys may have one name. */
  readonly name: string
  /** As the log shows it. */
  readonly publicKey: string
  readonly header: StampHeader
  readonly stamp: (body: Uint8Array) => string
}

/** A passkey, and what a request carries to register it. */
export type PasskeySigner = Signer & { readonly params: Json }

const keySigner = (key: SigningKey): Signer => ({
  name: key.publicKey,
  publicKey: key.publicKey,
  header: 'X-Stamp',
  stamp: (body) => simulatedStamp(key, body),
})

const passkeySigner = ({ webauthnId, coseKey, params, stamp }: SimulatedPasskey): PasskeySigner => ({
  name: webauthnId,
  publicKey: coseKey,
  header: 'X-Stamp-WebAuthn',
  stamp,
  params,
})

export const keySigners: readonly Signer[] = keys.map(keySigner)

/** The first half are those of the keys, in their order. The second half are their twins: each says the same id, and has another key. */
export const passkeySigners: readonly PasskeySigner[] = [...simulatedPasskeys, ...twins].map(passkeySigner)

/** The passkey with the same id and another key. */
export const twinOf = (passkey: Signer): PasskeySigner | undefined =>
  passkeySigners.find(({ name, publicKey }) => name === passkey.name && publicKey !== passkey.publicKey)

const signers = new Map(
  [...keySigners, ...passkeySigners].map((signer) => [`${signer.name} ${signer.publicKey}`, signer]),
)

/** Who has this credential; `undefined` for one that nobody has here. */
export const signerOf = (name: string, publicKey: string): Signer | undefined => signers.get(`${name} ${publicKey}`)
