import { sha256 } from '@noble/hashes/sha2.js'
import { decodeBase64, encodeBase64Url, encodeHex, encodeUtf8 } from '../../../../core/bytes.ts'
import type { Stamper } from '../../../../core/door/transport.ts'
import { texts } from '../texts.ts'

/** Whether this browser can ask for a passkey here: one belongs to a name, and not to an address. */
export const hasPasskeys = (): boolean =>
  isSecureContext && 'credentials' in navigator && 'PublicKeyCredential' in window && !isAddress(location.hostname)

const isAddress = (host: string): boolean => /^(?:[0-9.]+|\[.*\])$/.test(host)

/**
 * Stamps with a passkey, which asks its owner each time: the challenge is the hash of the body.
 *
 * @param credentialIds  those that may stamp, in base64url; none: whichever the owner picks
 */
export const passkeyStamper =
  (credentialIds: readonly string[]): Stamper =>
  async (body) => {
    const publicKey: PublicKeyCredentialRequestOptions = {
      challenge: encodeUtf8(encodeHex(sha256(body))),
      rpId: location.hostname,
      allowCredentials: credentialIds.flatMap((credentialId) => {
        const id = decodeBase64(credentialId)
        return id === undefined ? [] : [{ type: 'public-key' as const, id }]
      }),
      userVerification: 'preferred',
    }
    const credential = await navigator.credentials.get({ publicKey }).catch(() => null) // one who says no is told as one without
    if (!(credential instanceof PublicKeyCredential)) throw new Error(texts.signIn.noPasskey)
    const { response } = credential
    if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error(texts.signIn.noPasskey)
    const text = (buffer: ArrayBuffer): string => encodeBase64Url(new Uint8Array(buffer))
    const stamp = {
      authenticatorData: text(response.authenticatorData),
      clientDataJson: text(response.clientDataJSON),
      credentialId: text(credential.rawId),
      signature: text(response.signature),
    }
    return { name: 'X-Stamp-WebAuthn', value: JSON.stringify(stamp) }
  }
