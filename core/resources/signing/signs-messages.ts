import { decodeHex } from '../../bytes.ts'
import * as t from '../../codec/t.ts'
import { valueOf } from '../../definition/refuse.ts'
import { verify, type SignatureParts } from '../../keys/signing.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import type { Signer } from './signer.ts'

export const Signature = t.fields({ r: t.string, s: t.string, v: t.string })

/** What is to be signed, and by which key: all that the keyring needs, and an audit to verify it. */
export type ToSign = Signer & { readonly organizationId: string; readonly messages: readonly string[] }

/** What the operations that sign have in common: `check` gives what the keyring signs. */
export const signsMessages = {
  resource: 'PRIVATE_KEY',
  action: 'SIGN',
  change: t.fields({}),
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: t.fields({ signatures: t.array(Signature) }),
    run: async (toSign: ToSign, { ports }: { readonly ports: { readonly keyring: Keyring } }) => {
      const { organizationId, keyId, key, scheme, messages } = toSign
      return { signatures: [...valueOf(await ports.keyring.sign({ organizationId, keyId }, key, scheme, messages)())] }
    },
  },
  verify: async (
    { signatures }: { readonly signatures: readonly SignatureParts[] },
    _: unknown,
    { scheme, key, publicKey, messages }: ToSign,
  ): Promise<boolean> =>
    signatures.length === messages.length &&
    signatures.every((signature, index) => {
      const message = decodeHex(messages[index] ?? '')
      return message !== undefined && verify(scheme, key.curve, publicKey, message, signature)
    }),
  evolve: () => undefined,
}
