import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import {
  fits,
  hashFunctions,
  messageOf,
  payloadEncodings,
  PAYLOAD_VALUES_MAX,
  type PayloadEncoding,
} from '../../keys/payload.ts'
import type { Fact, ResourceFacts } from '../../policy/fact.ts'
import { E } from '../../prelude.ts'
import { authorizationFacts, typedDataFacts } from '../../transaction/typed-data-facts.ts'
import { oneOf } from '../wallet/key-codecs.ts'
import { signerFacts, signerOf } from './signer.ts'
import { signsMessages, type ToSign } from './signs-messages.ts'

/** What policies see of a payload that says what it means. */
const payloadFacts = (encoding: PayloadEncoding, payload: string): ResourceFacts => {
  if (encoding === 'PAYLOAD_ENCODING_EIP712') return { eth: () => present('eip_712', typedDataFacts(payload)) }
  if (encoding !== 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION') return {}
  return { eth: () => present('eip_7702_authorization', authorizationFacts(payload)) }
}

const present = (name: string, fact: Fact | undefined): Fact => (fact === undefined ? {} : { [name]: fact })

/** How payloads are read and hashed. */
export const form = {
  encoding: oneOf(payloadEncodings),
  hashFunction: oneOf(hashFunctions),
}
const Form = t.fields(form)
type Form = t.TypeOf<typeof Form>

/**
 * What the operations that sign payloads have in common.
 *
 * @param payloadsOf  the payloads of an intent, each with the name of its member
 */
export const signs = <I extends Form & { readonly signWith: string }>(
  payloadsOf: (intent: I) => readonly (readonly [member: string, payload: string])[],
) => ({
  ...signsMessages,
  paramNames: ['hash_function', 'encoding'],
  params: ({ hashFunction, encoding }: I) => ({ hash_function: hashFunction, encoding }),
  /** Of several payloads there is no one fact: a rule that asks for one errs. */
  facts: (intent: I, organization: ExecuteContext<unknown>['organization']): ResourceFacts => {
    const [first, ...more] = payloadsOf(intent)
    const ofSigner = signerFacts(organization, intent.signWith)
    if (first === undefined || more.length > 0) return ofSigner
    return { ...ofSigner, ...payloadFacts(intent.encoding, first[1]) }
  },

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
})
