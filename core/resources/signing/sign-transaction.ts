import { decodeHex } from '../../bytes.ts'
import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { refusal, refuse, valueOf } from '../../definition/refuse.ts'
import type { Organization } from '../../organization/state.ts'
import type { ResourceFacts } from '../../policy/fact.ts'
import { chains, transactionTypes, type TransactionType } from '../../transaction/chains.ts'
import type { ParsedTransaction, TransactionSigner } from '../../transaction/transaction.ts'
import { interfaceFor } from '../smart-contract-interface/smart-contract-interfaces.ts'
import { oneOf } from '../wallet/key-codecs.ts'
import { signerFacts, signerNamed, signerOf, type Signer } from './signer.ts'
import { signsMessages } from './signs-messages.ts'

/** The longest transaction, in bytes. */
const BYTES_MAX = 128 * 1024

const members = {
  unsignedTransaction: t.refined(t.string, 'a text of at least one character', (text) => text !== ''),
  type: oneOf(transactionTypes),
}
const Intent = t.fields({ signWith: t.Text, ...members })
const First = t.fields({ privateKeyId: t.Uuid, ...members })

export const signTransaction = operation({
  ...signsMessages,
  type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  path: 'sign_transaction',
  summary: 'Signs a transaction, after policies have seen what it does.',
  resultName: 'signTransactionResult',
  intent: Intent,
  result: t.fields({ signedTransaction: t.string }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_SIGN_TRANSACTION',
      ...decodes(First, ({ privateKeyId, ...transaction }) => ({ signWith: privateKeyId, ...transaction })),
    },
  ],
  paramNames: ['type'],
  params: ({ type }) => ({ type }),

  inspect: async ({ unsignedTransaction, type }): Promise<ParsedTransaction> => {
    const digits = unsignedTransaction.replace(/^0x/i, '')
    const bytes = digits.length > 2 * BYTES_MAX ? undefined : decodeHex(digits)
    if (bytes === undefined)
      throw refuse('INVALID_TRANSACTION', `expected hex digits of at most ${BYTES_MAX} whole bytes`)
    return valueOf(await chains[type].parse(bytes))
  },

  facts: ({ signWith, type }, organization, parsed) => ({
    ...signerFacts(organization, signWith),
    ...transactionFacts(type, organization, parsed, signerNamed(organization, signWith)),
  }),

  check: ({ signWith }, { organization, inspected }) => {
    const signer = signerOf(organization, signWith)
    const messages = inspected.messagesFor(transactionSigner(signer))
    if (messages._tag === 'Left')
      throw typeof messages.left === 'string' ? refuse.field('signWith', messages.left) : refusal(messages.left)
    return { organizationId: organization.organizationId, ...signer, messages: messages.right }
  },

  execute: ({ signWith }, { organization, inspected, performed: { signatures } }) => {
    const signer = transactionSigner(signerOf(organization, signWith))
    return { result: { signedTransaction: inspected.assemble(signer, signatures) }, change: {} }
  },
})

const transactionSigner = ({ key: { curve }, publicKey, scheme, format }: Signer): TransactionSigner => ({
  curve,
  publicKey,
  scheme,
  format,
})

/** What policies see of the transaction; nothing, if this key cannot sign it. */
const transactionFacts = (
  type: TransactionType,
  organization: Organization,
  parsed: ParsedTransaction,
  named: Signer | undefined,
): ResourceFacts => {
  if (named === undefined) return {}
  const { keyword, interfaces } = chains[type]
  const interfaceOf = (address: string): string | undefined =>
    interfaces && interfaceFor(organization, interfaces, address)?.smartContractInterface
  const signer = transactionSigner(named)
  return {
    [keyword]: () => (parsed.messagesFor(signer)._tag === 'Left' ? {} : { tx: parsed.facts(signer, interfaceOf) }),
  }
}
