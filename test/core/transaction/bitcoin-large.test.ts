import { suite } from 'uvu'
import { concat } from '../../../core/bytes.ts'
import { INPUT } from '../../../core/transaction/psbt-fields.ts'
import { bytes } from '../keys/keys.ts'
import { COUNT, OTHERS, PREVIOUS } from './psbt-outcomes.ts'
import {
  ada,
  check,
  entry,
  grace,
  inputOf,
  little,
  p2wsh,
  psbtOf,
  segwitInput,
  signerOf,
  transactionBytes,
  withField,
  type TestInput,
} from './psbts.ts'

const it = suite('large bitcoin transactions')

const own = inputOf('P2WPKH', ada, 9_000n)
const psbt = (input: TestInput): Uint8Array => psbtOf({ inputs: [input] })

it('does not hash a large transaction for each of very many legacy inputs', async () => {
  const many = (count: number) =>
    psbtOf({ inputs: Array.from({ length: count }, (_, i) => inputOf('P2PKH', ada, 9_000n, i)) })
  const tooMany = many(2_000)
  await check({
    '600 inputs': [many(600), 'SIGNED'],
    '2,000 inputs': [
      tooMany,
      'INVALID_TRANSACTION: expected legacy inputs whose number times the size of the transaction is at most 16777216',
    ],
    '2,000 inputs of others': [tooMany, OTHERS, signerOf(grace)],
    '1,600 inputs of segwit': [
      psbtOf({ inputs: Array.from({ length: 1_600 }, (_, i) => inputOf('P2WPKH', ada, 9_000n, i)) }),
      'SIGNED',
    ],
  })
})

it('reads 128 kB of whatever is dear for a reader', () => {
  const count = 20_000
  const unknown = Array.from({ length: count }, (_, i) => entry(0xf0, new Uint8Array(), little(3, BigInt(i))))
  const outputs = Array.from({ length: 10_000 }, () => ({ amount: 0n, script: new Uint8Array() }))
  const stack = concat([bytes('feffff0100'), new Uint8Array(0x1_ffff)])
  const pushes = new Uint8Array(100_000).fill(0x51)
  const nested = transactionBytes([], [])
  return check({
    'unknown keys': [psbt({ ...own, map: [...own.map, ...unknown] }), 'SIGNED'],
    'empty outputs': [psbtOf({ inputs: [own], outputs }), 'SIGNED'],
    'a long witness': [psbt(withField(own, entry(INPUT.finalScriptWitness, stack))), OTHERS],
    'a long script': [
      psbt(withField(segwitInput({ amount: 9_000n, script: p2wsh(pushes) }, 0), entry(5, pushes))),
      OTHERS,
    ],
    'a previous transaction without inputs': [
      psbt({ ...inputOf('P2PKH', ada, 9_000n), map: [entry(INPUT.nonWitnessUtxo, nested)] }),
      PREVIOUS,
    ],
    'empty maps': [concat([psbt(own), new Uint8Array(128_000)]), COUNT],
  })
})

it.run()
