/*
 * How PSBTs are refused, as `outcomeOf` says it.
 */

export const MAPS = 'INVALID_TRANSACTION: expected a PSBT, with each key once in a map'
export const COUNT = 'INVALID_TRANSACTION: expected a map for each input and output'
export const SHAPES = 'INVALID_TRANSACTION: expected keys and values as BIP-174 and BIP-371 define them'
export const UNSIGNED = 'INVALID_TRANSACTION: expected a PSBT with an unsigned transaction'
export const SPENDS = 'INVALID_TRANSACTION: expected the output that each input spends'
export const PREVIOUS =
  'INVALID_TRANSACTION: expected the transaction that an input spends from as its non_witness_utxo'
export const HASHES = 'INVALID_TRANSACTION: expected scripts whose hashes the outputs that are spent have'
export const AMOUNTS =
  'INVALID_TRANSACTION: expected amounts of at most 21 million bitcoins, of which the inputs pay the outputs'
export const NEITHER = 'INVALID_TRANSACTION: expected a transaction with inputs and outputs'
export const LEGACY = 'INVALID_TRANSACTION: expected a non_witness_utxo alone for each legacy input to sign'
export const PROOF = 'INVALID_TRANSACTION: expected a non_witness_utxo for each legacy input'
export const SEGWIT = 'INVALID_TRANSACTION: expected a witness_utxo alone for each segwit input to sign'
export const WRAPPED = 'UNSUPPORTED_TRANSACTION_TYPE: inputs with segwit inside P2SH are not signed here'
export const SIGHASH =
  'UNSUPPORTED_TRANSACTION_TYPE: inputs with other sighash types than ALL, or DEFAULT for taproot, are not signed here'
export const SCRIPTS = 'UNSUPPORTED_TRANSACTION_TYPE: taproot inputs with scripts are not signed here'
export const OTHERS = 'SIGNER: expected a key that an input of the transaction needs'
export const SEPARATOR = 'UNSUPPORTED_TRANSACTION_TYPE: inputs whose script has an OP_CODESEPARATOR are not signed here'
export const SIGNED = 'SIGNED'
/** It is read, and names no key that could sign an input. */
export const READ = 'READ'
