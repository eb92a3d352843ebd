import { createPrivateKeys } from '../../../../core/resources/private-key/create-private-keys.ts'
import { signRawPayload } from '../../../../core/resources/signing/sign-raw-payload.ts'
import { signRawPayloads } from '../../../../core/resources/signing/sign-raw-payloads.ts'
import { signTransaction } from '../../../../core/resources/signing/sign-transaction.ts'
import { createWallet } from '../../../../core/resources/wallet/create-wallet.ts'
import { AUDITED, example, type Scene } from '../example.ts'
import { transactionHex } from '../../transaction/ethereum-account.ts'

const form = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
const signWith = async ({ made }: Scene) => (await made(createWallet)).addresses[0]
const nobody = { signWith: '0x0000000000000000000000000000000000000000', ...form }

const ETHEREUM = 'TRANSACTION_TYPE_ETHEREUM'
const transfer = ({ text }: Scene) => ({
  unsignedTransaction: transactionHex(2, [
    1n,
    0n,
    1n,
    9n,
    21_000n,
    nobody.signWith,
    1n,
    Buffer.from(text('unsignedTransaction')),
    [],
  ]),
  type: ETHEREUM,
})

export const examples = [
  example(signRawPayload, {
    valid: async (scene) => ({ signWith: await signWith(scene), payload: scene.text('payload'), ...form }),
    older: {
      ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: async ({ made, text }) => ({
        privateKeyId: (await made(createPrivateKeys)).privateKeys[0]?.privateKeyId,
        payload: text('payload'),
        ...form,
      }),
    },
    refused: [{ ...nobody, payload: 'hello' }, 'RESOURCE_NOT_FOUND'],
  }),
  example(signRawPayloads, {
    valid: async (scene) => ({ signWith: await signWith(scene), payloads: [scene.text('payloads')], ...form }),
    refused: [{ ...nobody, payloads: ['hello'] }, 'RESOURCE_NOT_FOUND'],
  }),
  example(signTransaction, {
    valid: async (scene) => ({ signWith: await signWith(scene), ...transfer(scene) }),
    older: {
      ACTIVITY_TYPE_SIGN_TRANSACTION: async (scene) => ({
        privateKeyId: (await scene.made(createPrivateKeys)).privateKeys[0]?.privateKeyId,
        ...transfer(scene),
      }),
    },
    refused: [{ signWith: nobody.signWith, unsignedTransaction: '02c0', type: ETHEREUM }, 'INVALID_TRANSACTION'],
  }),
]

export const texts = { r: AUDITED, s: AUDITED, v: AUDITED, signedTransaction: AUDITED }
