import { encodeHex } from '../../../../core/bytes.ts'
import { mail } from '../../keys/typed-data.ts'
import { transferOf } from '../../transaction/ethereum-calls.ts'
import { grace, inputOf, payment, scriptOf } from '../../transaction/psbts.ts'
import { bytes } from '../../keys/keys.ts'
import { TO, TOKEN } from '../../transaction/tempo-transactions.ts'
import type { SigningKeys } from './signing-keys.ts'
import {
  approveOf,
  authorizing,
  bitcoinHex,
  CONTRACT,
  ethereumHex,
  orderOf,
  OTHER_CONTRACT,
  several,
  signing,
  tempoHex,
  tronHex,
  typedData,
  type Asked,
} from './transaction-requests.ts'

/** A condition of a policy, a request that it allows, and one that it does not. */
export type Row = readonly [condition: string, allowed: Asked, denied: Asked]

export const ethereumRows = ({ ethereum, hot }: SigningKeys): readonly Row[] => {
  const asked = (given?: Parameters<typeof ethereumHex>[0], signWith = ethereum): Asked =>
    signing(signWith, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex(given))
  const call = (data: string, to?: string): Asked => asked({ data, ...(to === undefined ? {} : { to }) })
  return [
    [`eth.tx.from == '${ethereum}'`, asked(), asked({}, hot.address)],
    [`eth.tx.to == '${CONTRACT}'`, asked(), asked({ to: OTHER_CONTRACT })],
    [`eth.tx.to == '${CONTRACT.toLowerCase()}'`, asked(), asked({ to: '0x' })],
    ["eth.tx.to == ''", asked({ to: '0x' }), asked()],
    ["eth.tx.data == '0x'", asked(), call('12')],
    ["eth.tx.data[0..10] == '0xa9059cbb'", call(transferOf(5)), call(approveOf(5))],
    ['eth.tx.value <= 5', asked(), asked({ value: 6n })],
    ['eth.tx.value <= 1000000000000000000', asked({ value: 10n ** 18n }), asked({ value: 10n ** 18n + 1n })],
    ['eth.tx.gas == 21000', asked(), asked({ gas: 21_001n })],
    ['eth.tx.gas_price < 10', asked(), asked({ fee: 10n })],
    ['eth.tx.gas_price == 9', asked({ type: 0 }), asked({ type: 1, fee: 10n })],
    ['eth.tx.chain_id in [1, 8453]', asked({ chain: 8453n }), asked({ chain: 2n })],
    ['eth.tx.nonce == 7', asked(), asked({ nonce: 8n })],
    ['eth.tx.max_fee_per_gas == 9', asked(), asked({ type: 0 })],
    ['eth.tx.max_priority_fee_per_gas <= 2', asked(), asked({ priority: 3n })],
    ['eth.tx.max_fee_per_blob_gas == 3', asked({ type: 3 }), asked({ type: 3, blobFee: 4n })],
    ["eth.tx.type == 'LEGACY'", asked({ type: 0 }), asked({ type: 1 })],
    ["eth.tx.type == 'TYPE_4'", asked({ type: 4 }), asked({ type: 2 })],
    ["eth.tx.function_name == 'transfer'", call(transferOf(5)), call(approveOf(5))],
    ["eth.tx.function_name == 'transfer'", call(transferOf(5)), call(transferOf(5), OTHER_CONTRACT)],
    ["eth.tx.function_signature == '0xa9059cbb'", call(transferOf(5)), call('')],
    ["eth.tx.contract_call_args['amount'] <= 100", call(transferOf(100)), call(transferOf(101))],
    ["eth.tx.contract_call_args['order'][1] == 7", call(orderOf(7)), call(orderOf(8))],
    ["activity.params.type == 'TRANSACTION_TYPE_ETHEREUM'", asked(), typedData(ethereum)],
  ]
}

export const payloadRows = ({ ethereum, hot }: SigningKeys): readonly Row[] => {
  const typed = (more?: Parameters<typeof typedData>[1]): Asked => typedData(ethereum, more)
  const inDomain = (more: typeof mail.domain): Asked => typed({ domain: { ...mail.domain, ...more } })
  const authorization = authorizing(ethereum)
  return [
    [
      "eth.eip_712.primary_type == 'Mail'",
      typed(),
      typed({ primaryType: 'Person', message: { name: 'Cow', wallet: CONTRACT } }),
    ],
    ["eth.eip_712.domain.name == 'Ether Mail'", typed(), inDomain({ name: 'Other Mail' })],
    ["eth.eip_712.domain.version == '1'", typed(), inDomain({ version: '2' })],
    ['eth.eip_712.domain.chain_id == 1', typed(), inDomain({ chainId: 2 })],
    [
      `eth.eip_712.domain.verifying_contract == '0x${'cc'.repeat(20)}'`,
      typed(),
      inDomain({ verifyingContract: CONTRACT }),
    ],
    [
      "eth.eip_712.message['to']['name'] == 'Bob'",
      typed(),
      typed({ message: { ...mail.message, to: mail.message['from'] } }),
    ],
    [
      "eth.eip_712.message['contents'] == 'Hello, Bob!'",
      typed(),
      typed({ message: { ...mail.message, contents: '' } }),
    ],
    ["eth.eip_712.primary_type == 'Mail'", several(typed(), 1), several(typed(), 2)],
    [
      `eth.eip_7702_authorization.address == '${OTHER_CONTRACT}'`,
      authorization,
      authorizing(ethereum, { address: CONTRACT }),
    ],
    ['eth.eip_7702_authorization.chain_id == 1', authorization, authorizing(ethereum, { chainId: 2 })],
    ['eth.eip_7702_authorization.nonce == 3', authorization, authorizing(ethereum, { nonce: 4 })],
    ['eth.eip_7702_authorization.nonce == 3', several(authorization, 1), several(authorization, 2)],
    ['eth.eip_7702_authorization.nonce == 3', authorizing(hot.id), typed()],
    ["activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'", typed(), authorization],
    [
      "activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
      several(typed(), 2),
      signing(ethereum, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex()),
    ],
  ]
}

export const keyRows = (keys: SigningKeys): readonly Row[] => {
  const { wallet, imported, hot, brought } = keys
  const { first, seventh } = wallet
  const asked = (signWith: string): Asked => signing(signWith, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex())
  return [
    [`wallet.id == '${wallet.id}'`, asked(first), asked(imported)],
    ["wallet.label == 'savings'", asked(first), asked(imported)],
    ['wallet.imported', asked(imported), asked(first)],
    ['wallet.exported', asked(imported), asked(first)],
    ['!wallet.exported', asked(first), asked(hot.id)],
    [`wallet_account.address == '${first}'`, asked(first.toLowerCase()), asked(seventh)],
    ['wallet_account.path_indexes[4] == 7', asked(seventh), asked(first)],
    ['wallet_account.path_hardened[2] && !wallet_account.path_hardened[3]', asked(first), asked(hot.id)],
    [`private_key.id == '${hot.id}'`, asked(hot.id), asked(brought)],
    [`private_key.tags.contains('${hot.tagId}')`, asked(hot.address), asked(brought)],
    ["private_key.label == 'hot'", asked(hot.address), asked(brought)],
    ['private_key.imported', asked(brought), asked(hot.id)],
    ['private_key.exported', asked(brought), asked(first)],
  ]
}

export const tempoRows = ({ ethereum, hot }: SigningKeys): readonly Row[] => {
  const asked = (...given: Parameters<typeof tempoHex>): Asked =>
    signing(ethereum, 'TRANSACTION_TYPE_TEMPO', tempoHex(...given))
  const calls = (to: string, data: string): Asked => asked(4, [[to, 0n, data]])
  return [
    ['tempo.tx.chain_id == 42431', asked(), asked(0, 1n)],
    [`tempo.tx.from == '${ethereum}'`, asked(), signing(hot.id, 'TRANSACTION_TYPE_TEMPO', tempoHex())],
    ['tempo.tx.max_priority_fee_per_gas == 2', asked(), asked(1, 3n)],
    ['tempo.tx.max_fee_per_gas <= 9', asked(), asked(2, 10n)],
    ['tempo.tx.gas_limit <= 21000', asked(), asked(3, 21_001n)],
    ['tempo.tx.nonce == 7', asked(), asked(7, 8n)],
    ['tempo.tx.valid_before == 200', asked(), asked(8, 0n)],
    ['tempo.tx.valid_after == 100', asked(), asked(9, 0n)],
    [`tempo.tx.fee_token == '${TOKEN}'`, asked(), asked(10, '0x')],
    [`tempo.tx.calls.all(c, c.to == '${TO}')`, calls(TO, '0x'), asked()],
    ["tempo.tx.calls[0].input == '0x1234567890'", asked(), calls(TO, '0x1234567891')],
    [
      "tempo.tx.calls.all(c, c.function_signature == '0xa9059cbb')",
      calls(TO, `0x${transferOf(5)}`),
      calls(TO, '0xa905'),
    ],
    [
      "activity.params.type == 'TRANSACTION_TYPE_TEMPO'",
      asked(),
      signing(ethereum, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex()),
    ],
  ]
}

export const bitcoinRows = (keys: SigningKeys): readonly Row[] => {
  const { address: own, key: ownKey } = keys.bitcoin
  const asked = (more?: Parameters<typeof bitcoinHex>[1], seed?: number): Asked =>
    signing(own, 'TRANSACTION_TYPE_BITCOIN', bitcoinHex(keys, more, seed))
  const pays = (amount: bigint, script = payment.script): Asked => asked({ outputs: [{ amount, script }] })
  const input = inputOf('P2WPKH', ownKey, 9_000n)
  const rare = asked({ inputs: [{ ...input, vout: 1, sequence: 0 }] })
  const txId = encodeHex(input.txid.toReversed())
  const script = encodeHex(payment.script)
  const blocks = asked({ lockTime: 800_000n })
  return [
    ["bitcoin.tx.version == '2'", asked(), asked({ version: 1n })],
    [`bitcoin.tx.inputs.all(i, i.tx_id == '${txId}')`, asked(), asked({}, 1)],
    ['bitcoin.tx.inputs.all(i, i.vout == 0)', asked(), rare],
    ['bitcoin.tx.inputs[0].sequence == 4294967295', asked(), rare],
    ['bitcoin.tx.outputs.all(o, o.value <= 1000)', asked(), pays(1_001n)],
    [`bitcoin.tx.outputs.all(o, o.script_pubkey == '${script}')`, asked(), pays(1_000n, scriptOf('P2TR', grace))],
    [`bitcoin.tx.outputs.all(o, o.address == '${own}')`, pays(1_000n, scriptOf('P2WPKH', ownKey)), asked()],
    ["bitcoin.tx.outputs.all(o, o.address_type == 'P2WPKH')", asked(), pays(1_000n, bytes('6a0101'))],
    ['bitcoin.tx.locktime.amount == 800000', blocks, asked()],
    ["bitcoin.tx.locktime.type == 'Blocks'", blocks, asked({ lockTime: 1_700_000_000n })],
    ['bitcoin.tx.fee <= 8000', asked(), pays(999n)],
    [
      "activity.params.type == 'TRANSACTION_TYPE_BITCOIN'",
      asked(),
      signing(keys.tron, 'TRANSACTION_TYPE_TRON', tronHex()),
    ],
  ]
}
