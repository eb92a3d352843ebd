import { decodeHex } from '../../bytes.ts'
import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { fits, hashFunctions, messageOf, payloadEncodings, PAYLOAD_VALUES_MAX } from '../../keys/payload.ts'
import { verify, type SignatureParts } from '../../keys/signing.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { E } from '../../prelude.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { oneOf } from '../wallet/key-codecs.ts'
import { signerFacts, signerOf, type Signer } from './signer.ts'

/** How payloads are read and hashed. */
export const form = {
  encoding: oneOf(payloadEncodings, 'a payload encoding'),
  hashFunction: oneOf(hashFunctions, 'a hash function'),
}
const Form = t.fields(form)
type Form = t.TypeOf<typeof Form>

export const Signature = t.fields({ r: t.string, s: t.string, v: t.string })

/** What is to be signed, and by which key: all that the keyring needs, and an audit to verify it. */
type ToSign = Signer & { readonly organizationId: string; readonly messages: readonly string[] }

/**
 * What the operations that sign payloads have in common.
 *
 * @param payloadsOf  the payloads of an intent, each with the name of its member
 */
export const signs = <I extends Form & { readonly signWith: string }>(
  payloadsOf: (intent: I) => readonly (readonly [member: string, payload: string])[],
) => ({
  resource: 'PRIVATE_KEY',
  action: 'SIGN',
  change: t.fields({}),
  paramNames: ['hash_function', 'encoding'],
  params: ({ hashFunction, encoding }: I) => ({ hash_function: hashFunction, encoding }),
  facts: ({ signWith }: I, organization: ExecuteContext<unknown>['organization']) =>
    signerFacts(organization, signWith),

  inspect: (intent: I): readonly string[] => {
    let valuesLeft = PAYLOAD_VALUES_MAX
    return payloadsOf(intent).map(([member, payload]) => {
      const { encoding, hashFunction } = intent
      const message = messageOf({ payload, encoding, hashFunction }, valuesLeft)
      if (E.isLeft(message))
        throw refuse.field(message.left.member === 'payload' ? member : message.left.member, message.left.expected)
      valuesLeft -= message.right.values
      return message.right.message
    })
  },

  check: (
    { signWith, hashFunction }: I,
    { organization, inspected }: Pick<ExecuteContext<undefined, readonly string[]>, 'organization' | 'inspected'>,
  ): ToSign => {
    const signer = signerOf(organization, signWith)
    if (!fits(signer.key.curve, hashFunction))
      throw refuse.field('hashFunction', 'HASH_FUNCTION_NOT_APPLICABLE for a key of ed25519, and for no other')
    return { organizationId: organization.organizationId, ...signer, messages: inspected }
  },
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
    _: I,
    { scheme, key, publicKey, messages }: ToSign,
  ): Promise<boolean> =>
    signatures.length === messages.length &&
    signatures.every((signature, index) => {
      const message = decodeHex(messages[index] ?? '')
      return message !== undefined && verify(scheme, key.curve, publicKey, message, signature)
    }),

  evolve: () => undefined,
})
