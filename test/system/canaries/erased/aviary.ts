import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Words } from '../../../core/resources/scene.ts'
import { anyPasskey } from '../../../core/world/software-passkey.ts'

/** A text that was put into a member of a request. */
export type Canary = {
  readonly text: string
  /** The name of the member. */
  readonly member: string
  /** The type of the request on the wire. */
  readonly type: string
}

/** Makes texts that stand nowhere else, and remembers them. */
export const aviary = () => {
  const canaries: Canary[] = []
  const kept = (text: string, member: string, type: string): string => {
    canaries.push({ text, member, type })
    return text
  }
  const next = (member: string, type: string): string =>
    kept(`canary${canaries.length}x${((canaries.length + 7) * 2_654_435_761).toString(36)}`, member, type)
  const phone = (type: string): string =>
    kept(`+1555${String(8_675_309 + canaries.length * 104_729).padStart(9, '0')}`, 'userPhoneNumber', type)
  /** For a request of the type: a canary in each text. */
  const words = (type: string): Words => ({
    text: (member) => next(member, type),
    phoneNumber: () => phone(type),
    publicKey: () => generateKey('API_KEY_CURVE_P256').publicKey,
    passkey: anyPasskey,
  })
  return { canaries, next, words }
}
