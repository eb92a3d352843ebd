import { stamper, type SigningKey } from 'countersign/signatures'
import { keyPasskey, type KeyPasskey } from '../../core/world/key-passkey.ts'

/** The passkey that has the key: both then cost the same curve, and all that differs is what is read and checked around it. */
export const passkeyOf = (key: SigningKey): KeyPasskey => {
  const stamp = stamper(key)
  return keyPasskey(key.publicKey, (message) => {
    const { signature } = JSON.parse(Buffer.from(stamp(message), 'base64url').toString()) as {
      readonly signature: string
    } // made by our own signer
    return new Uint8Array(Buffer.from(signature, 'hex'))
  })
}
