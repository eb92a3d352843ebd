import { p256 } from '@noble/curves/nist.js'
import type { Place } from '../../world/world.ts'
import { encrypted } from '../otp/generations.ts'
import { ADA, verifyEncrypted, type ClientKey, type office } from '../otp/scene.ts'

type Office = Awaited<ReturnType<typeof office>>

/** A token for a contact and a key, of a code that an organization has sent. */
export const tokenIn = async (made: Office, place: Place, key: ClientKey, contact = ADA): Promise<string> => {
  const sent = await encrypted.send(place, made.mails, { contact })
  return verifyEncrypted(place, place.root, sent, sent.code, key.publicKey)
}

const ORDER = p256.Point.Fn.ORDER

/** The other signature of the same: with the other `s`. */
export const mirrored = (signature: string): string => {
  const [r, s] = [signature.slice(0, 64), BigInt(`0x${signature.slice(64)}`)]
  return r + (ORDER - s).toString(16).padStart(64, '0')
}

export const derOf = (signature: string): string => {
  const bytes = p256.Signature.fromHex(signature, 'compact').toBytes('der')
  return Buffer.from(bytes).toString('hex')
}
