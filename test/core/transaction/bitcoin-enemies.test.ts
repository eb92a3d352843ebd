import { suite } from 'uvu'
import { concat } from '../../../core/bytes.ts'
import { hash160 } from '../../../core/keys/addresses/checksums.ts'
import { p2wpkhScript } from '../../../core/transaction/bitcoin-scripts.ts'
import { INPUT } from '../../../core/transaction/psbt-fields.ts'
import { bytes } from '../keys/keys.ts'
import {
  AMOUNTS,
  COUNT,
  HASHES,
  LEGACY,
  MAPS,
  NEITHER,
  OTHERS,
  PREVIOUS,
  PROOF,
  SCRIPTS,
  SEGWIT,
  SHAPES,
  SIGHASH,
  SPENDS,
  UNSIGNED,
  WRAPPED,
} from './psbt-outcomes.ts'
import {
  ada,
  check,
  entry,
  grace,
  inputOf,
  isLegacy,
  keyOf,
  legacyInput,
  little,
  multisig,
  outputBytes,
  p2sh,
  p2wsh,
  payment,
  psbtOf,
  schemeOfType,
  SCRIPT_TYPES,
  scriptOf,
  segwitInput,
  signerOf,
  type TestInput,
  withField,
  withoutField,
} from './psbts.ts'

const it = suite('enemies with bitcoin transactions')

const own = (type: (typeof SCRIPT_TYPES)[number], amount = 9_000n): TestInput => inputOf(type, ada, amount)
const psbt = (input: TestInput): Uint8Array => psbtOf({ inputs: [input] })
const sighash = (type: number) => entry(INPUT.sighashType, little(4, BigInt(type)))

const taproot = signerOf(ada, 'taproot')
const good = psbt(own('P2WPKH'))

it('refuses bytes that are no PSBT, or not in one form only', () =>
  check({
    'no bytes': [new Uint8Array(), MAPS],
    'the magic alone': [good.subarray(0, 5), UNSIGNED],
    'another magic': [good.with(4, 0xfe), MAPS],
    'a byte less': [good.subarray(0, -1), COUNT],
    'a byte more': [concat([good, bytes('00')]), COUNT],
    'a map more': [concat([good, bytes('01f00000')]), COUNT],
    'a key twice': [psbt({ ...own('P2WPKH'), map: [...own('P2WPKH').map, ...own('P2WPKH').map] }), MAPS],
    'an unknown key twice': [
      psbt({ ...own('P2WPKH'), map: [...own('P2WPKH').map, entry(0xf0, bytes('01')), entry(0xf0, bytes('02'))] }),
      MAPS,
    ],
    'a length in three bytes where one is enough': [concat([good.subarray(0, -1), bytes('fd010042000000')]), MAPS],
    'a length of eight bytes': [concat([good.subarray(0, -1), bytes('ff0100000000000000420000')]), MAPS],
    'a length behind the end': [concat([good.subarray(0, -1), bytes('feffffffff42')]), MAPS],
    'no unsigned transaction': [concat([good.subarray(0, 5), bytes('000000')]), UNSIGNED],
    'a field of version 2': [psbt(withField(own('P2WPKH'), entry(0x0f, bytes('00000000')))), SHAPES],
    'a key of 34 bytes': [psbt(withField(own('P2WPKH'), entry(0x02, bytes('30'), new Uint8Array(34).fill(2)))), SHAPES],
    'a type in three bytes': [psbt(withField(own('P2WPKH'), entry(0xfd, bytes('30'), bytes('0200')))), SHAPES],
    'a sighash type of 5 bytes': [psbt(withField(own('P2WPKH'), entry(0x03, bytes('0100000000')))), SHAPES],
  }))

it('refuses other versions', () =>
  check({
    'version 0, written out': [psbtOf({ inputs: [own('P2WPKH')], global: [entry(0xfb, little(4, 0n))] }), 'SIGNED'],
    'version 2': [
      psbtOf({ inputs: [own('P2WPKH')], global: [entry(0xfb, little(4, 2n))] }),
      'UNSUPPORTED_TRANSACTION_TYPE: PSBTs of other versions than 0 are not signed here',
    ],
    'a version of one byte': [psbtOf({ inputs: [own('P2WPKH')], global: [entry(0xfb, bytes('02'))] }), SHAPES],
  }))

it('refuses transactions that no block can have', () =>
  check({
    'no inputs': [psbtOf({ inputs: [] }), NEITHER],
    'no outputs': [psbtOf({ inputs: [own('P2WPKH')], outputs: [] }), NEITHER],
    'the same output twice': [
      psbtOf({ inputs: [own('P2WPKH'), own('P2WPKH')] }),
      'INVALID_TRANSACTION: expected inputs that spend different outputs',
    ],
    'outputs that are paid by nobody': [psbt(own('P2WPKH', 999n)), AMOUNTS],
    'more than there are bitcoins': [psbt(own('P2WPKH', 2_100_000_000_000_001n)), AMOUNTS],
    'all bitcoins': [psbt(own('P2WPKH', 2_100_000_000_000_000n)), 'SIGNED'],
    'amounts that are more in sum': [
      psbtOf({ inputs: [own('P2WPKH', 2_000_000_000_000_000n), inputOf('P2WPKH', grace, 2_000_000_000_000_000n, 1)] }),
      AMOUNTS,
    ],
    'an amount of 2^64 - 1': [psbt(own('P2WPKH', 2n ** 64n - 1n)), AMOUNTS],
    'outputs whose sum would overflow': [
      psbtOf({
        inputs: [own('P2WPKH')],
        outputs: [
          { ...payment, amount: 2n ** 64n - 1n },
          { ...payment, amount: 1_001n },
        ],
      }),
      AMOUNTS,
    ],
  }))

it('refuses an input whose parts contradict each other, also one of others', async () => {
  const script = scriptOf('P2PKH', ada)
  const elsewhere = legacyInput({ amount: 8_000n, script }, 5)
  const both = (amount: bigint, claimed = script) =>
    withField(own('P2PKH'), entry(INPUT.witnessUtxo, outputBytes({ amount, script: claimed })))
  const disagrees = 'INVALID_TRANSACTION: expected a witness_utxo that is an output of the non_witness_utxo'
  for (const signer of [signerOf(ada), signerOf(grace)])
    await check({
      'no output': [psbt(withoutField(own('P2WPKH'), INPUT.witnessUtxo)), SPENDS, signer],
      'another previous transaction': [psbt({ ...own('P2PKH'), map: elsewhere.map }), PREVIOUS, signer],
      'an output that it does not have': [psbt({ ...own('P2PKH'), vout: 1 }), PREVIOUS, signer],
      'a previous transaction that is none': [
        psbt({ ...own('P2PKH'), map: [entry(INPUT.nonWitnessUtxo, bytes('00'))] }),
        PREVIOUS,
        signer,
      ],
      'an output with a byte behind it': [
        psbt({ ...own('P2WPKH'), map: [entry(INPUT.witnessUtxo, concat([outputBytes(payment), bytes('00')]))] }),
        'INVALID_TRANSACTION: expected outputs as witness_utxo',
        signer,
      ],
      'both, with other amounts': [psbt(both(9_001n)), disagrees, signer],
      'both, with other scripts': [psbt(both(9_000n, scriptOf('P2PKH', keyOf(3)))), disagrees, signer],
      'another redeem script': [
        psbt(withField(withoutField(own('P2SH'), 4), entry(4, multisig(ada, keyOf(3))))),
        HASHES,
        signer,
      ],
      'a redeem script for P2PKH': [psbt(withField(own('P2PKH'), entry(4, multisig(ada)))), HASHES, signer],
      'another witness script': [
        psbt(withField(withoutField(own('P2WSH'), 5), entry(5, multisig(ada, keyOf(3))))),
        HASHES,
        signer,
      ],
      'a witness script for P2SH': [psbt(withField(own('P2SH'), entry(5, multisig(ada)))), HASHES, signer],
    })
})

it('refuses an amount that is claimed and that no signature commits to, also of an input of others', async () => {
  const claimed = (script: Uint8Array, ...more: ReturnType<typeof entry>[]) =>
    psbtOf({ inputs: [own('P2WPKH'), withField(segwitInput({ amount: 9_000n, script }, 1), ...more)] })
  const inside = p2wsh(multisig(keyOf(3)))
  await check({
    P2PKH: [claimed(scriptOf('P2PKH', keyOf(3))), PROOF],
    'a bare script': [claimed(bytes('51')), PROOF],
    P2SH: [claimed(p2sh(multisig(keyOf(3))), entry(INPUT.redeemScript, multisig(keyOf(3)))), PROOF],
    'P2SH without its script': [claimed(p2sh(inside)), PROOF],
    'segwit inside P2SH': [claimed(p2sh(inside), entry(INPUT.redeemScript, inside)), 'SIGNED'],
    'segwit inside P2SH, finalized': [
      claimed(p2sh(inside), entry(INPUT.finalScriptSig, concat([bytes('22'), inside]))),
      'SIGNED',
    ],
    'P2SH that claims to be finalized': [claimed(p2sh(inside), entry(INPUT.finalScriptWitness, bytes('0100'))), PROOF],
    'P2SH with the final script of another': [
      claimed(p2sh(inside), entry(INPUT.finalScriptSig, concat([bytes('22'), p2wsh(bytes('51'))]))),
      PROOF,
    ],
    P2WSH: [claimed(inside), 'SIGNED'],
    'a later version of segwit': [claimed(concat([bytes('6028'), new Uint8Array(40)])), 'SIGNED'],
    'what is too long for segwit': [claimed(concat([bytes('6029'), new Uint8Array(41)])), PROOF],
    'what is too short for segwit': [claimed(bytes('510101')), PROOF],
  })
})

it('refuses own inputs that have both kinds of outputs, or the wrong one', async () => {
  for (const type of SCRIPT_TYPES) {
    const script = scriptOf(type, ada)
    const [proved, claimed] = [legacyInput({ amount: 9_000n, script }, 0), segwitInput({ amount: 9_000n, script }, 0)]
    const others = own(type).map.filter(({ key }) => (key[0] ?? 0) > 1)
    const claim = entry(INPUT.witnessUtxo, outputBytes({ amount: 9_000n, script }))
    const [wrong, outcome] = isLegacy(type) ? [claimed, PROOF] : [proved, SEGWIT]
    const signer = signerOf(ada, schemeOfType(type))
    await check({
      [`${type} with both`]: [psbt(withField(proved, claim, ...others)), isLegacy(type) ? LEGACY : SEGWIT, signer],
      [`${type} with the wrong one`]: [psbt(withField(wrong, ...others)), outcome, signer],
    })
  }
})

it('refuses other sighash types on own inputs only', async () => {
  for (const type of SCRIPT_TYPES)
    for (const sighashType of [0, 1, 2, 3, 0x81, 0x82, 0x83, 0x101, 0x1_0000]) {
      const isUsual = sighashType === (type === 'P2TR' ? 0 : 1)
      await check({
        [`${type} ${sighashType}`]: [
          psbt(withField(own(type), sighash(sighashType))),
          isUsual ? 'SIGNED' : SIGHASH,
          signerOf(ada, schemeOfType(type)),
        ],
      })
    }
  const others = withField(inputOf('P2WPKH', keyOf(3), 9_000n, 1), sighash(0x83))
  await check({ 'of others': [psbtOf({ inputs: [own('P2WPKH'), others] }), 'SIGNED'] })
})

it('refuses segwit inside P2SH, taproot with scripts and code separators on own inputs', async () => {
  const keyHash = hash160(ada.publicKey)
  const wrapped = (redeem: Uint8Array, ...more: ReturnType<typeof entry>[]): TestInput =>
    withField(segwitInput({ amount: 9_000n, script: p2sh(redeem) }, 0), entry(INPUT.redeemScript, redeem), ...more)
  const inside = wrapped(p2wsh(multisig(ada)), entry(INPUT.witnessScript, multisig(ada)))
  const separated = concat([bytes('21'), ada.publicKey, bytes('adab21'), grace.publicKey, bytes('ac')])
  const separator = 'UNSUPPORTED_TRANSACTION_TYPE: inputs whose script has an OP_CODESEPARATOR are not signed here'
  const control = concat([bytes('c0'), grace.publicKey.subarray(1)])
  const withTree = segwitInput({ amount: 9_000n, script: scriptOf('P2TR', keyOf(3)) }, 0)
  const internal = entry(INPUT.tapInternalKey, ada.publicKey.subarray(1))
  await check({
    'P2SH-P2WPKH': [psbt(wrapped(p2wpkhScript(keyHash))), WRAPPED],
    'P2SH-P2WPKH without its script': [
      psbt(legacyInput({ amount: 9_000n, script: p2sh(p2wpkhScript(keyHash)) }, 0)),
      WRAPPED,
    ],
    'P2SH-P2WPKH of others': [psbtOf({ inputs: [wrapped(p2wpkhScript(hash160(grace.publicKey)))] }), OTHERS],
    'P2SH-P2WSH': [psbt(inside), WRAPPED],
    'P2SH-P2WSH beside an own input': [psbtOf({ inputs: [inputOf('P2WPKH', ada, 1n, 1), inside] }), WRAPPED],
    'P2SH-P2WSH of others': [psbt(inside), OTHERS, signerOf(keyOf(3))],
    'P2TR with a merkle root': [psbt(withField(own('P2TR'), entry(0x18, new Uint8Array(32)))), SCRIPTS, taproot],
    'P2TR with a leaf': [psbt(withField(own('P2TR'), entry(0x15, bytes('51c0'), control))), SCRIPTS, taproot],
    'P2TR with a signature for a leaf': [
      psbt(withField(own('P2TR'), entry(0x14, new Uint8Array(64), new Uint8Array(64)))),
      SCRIPTS,
      taproot,
    ],
    'P2TR of the key with a tree': [psbt(withField(withTree, internal)), SCRIPTS, taproot],
    'P2TR of others with a tree': [psbt(withTree), OTHERS, taproot],
    'P2TR with an internal key of others': [
      psbt(withField(withoutField(own('P2TR'), 0x17), entry(0x17, grace.publicKey.subarray(1)))),
      'INVALID_TRANSACTION: expected a tap_internal_key that belongs to the output',
      taproot,
    ],
    'P2TR without an internal key': [psbt(withoutField(own('P2TR'), 0x17)), 'SIGNED', taproot],
    'P2WSH with OP_CODESEPARATOR': [
      psbt(withField(segwitInput({ amount: 9_000n, script: p2wsh(separated) }, 0), entry(5, separated))),
      separator,
    ],
    'P2SH with OP_CODESEPARATOR': [
      psbt(legacyInput({ amount: 9_000n, script: p2sh(separated) }, 0, entry(4, separated))),
      separator,
    ],
  })
})

it('takes a key in a script for its own only where it is pushed whole', async () => {
  const withScript = (script: Uint8Array) =>
    psbt(withField(segwitInput({ amount: 9_000n, script: p2wsh(script) }, 0), entry(5, script)))
  const key = ada.publicKey
  await check({
    pushed: [withScript(concat([bytes('21'), key, bytes('ac')])), 'SIGNED'],
    'pushed with OP_PUSHDATA1': [withScript(concat([bytes('4c21'), key, bytes('ac')])), 'SIGNED'],
    'pushed with OP_PUSHDATA2': [withScript(concat([bytes('4d2100'), key, bytes('ac')])), 'SIGNED'],
    'pushed with OP_PUSHDATA4': [withScript(concat([bytes('4e21000000'), key, bytes('ac')])), 'SIGNED'],
    'inside other data': [withScript(concat([bytes('2221'), key, bytes('75ac')])), OTHERS],
    'in a script whose last push is cut off': [withScript(concat([bytes('21'), key, bytes('ac4c05')])), OTHERS],
    'in a script whose length is cut off': [withScript(concat([bytes('21'), key, bytes('ac4d')])), OTHERS],
    'as its hash': [withScript(scriptOf('P2PKH', ada)), OTHERS],
    'no script': [psbt(withoutField(own('P2WSH'), 5)), OTHERS],
    'a bare script': [
      psbt(legacyInput({ amount: 9_000n, script: concat([bytes('21'), key, bytes('ac')]) }, 0)),
      OTHERS,
    ],
    'of another curve': [good, OTHERS, { ...signerOf(ada), curve: 'CURVE_P256' }],
  })
})

it.run()
