import { encodeHex } from '../bytes.ts'
import { bitcoinNetworks, type BitcoinNetwork } from '../keys/addresses/bitcoin.ts'
import type { Fact } from '../policy/fact.ts'
import { addressOfPayee, payeeOf } from './bitcoin-scripts.ts'
import type { BitcoinOutput, Psbt } from './psbt.ts'

/**
 * What policies see as `bitcoin.tx`. The fee counts amounts that the PSBT claims, of which those of segwit inputs of others are not proved.
 *
 * @param format  of the signer's address: its network is that of the outputs' addresses; the main one for other formats
 */
export const bitcoinFacts = ({ version, inputs, outputs, lockTime, fee }: Psbt, format: string | undefined): Fact => ({
  version: String(version),
  inputs: inputs.map(({ txId, vout, sequence }) => ({ tx_id: txId, vout: BigInt(vout), sequence: BigInt(sequence) })),
  outputs: outputs.map(outputFacts(networkOf(format))),
  locktime: { amount: BigInt(lockTime), type: lockTime < FIRST_TIME ? 'Blocks' : 'Seconds' },
  fee,
})

/** The lowest locktime that is no height of a block. */
const FIRST_TIME = 500_000_000

const networkOf = (format: string | undefined): BitcoinNetwork =>
  Object.entries(bitcoinNetworks).find(([name]) => format?.startsWith(`ADDRESS_FORMAT_BITCOIN_${name}_`))?.[1] ??
  bitcoinNetworks.MAINNET

/** The address and its type, `P2PKH`, `P2SH`, `P2WPKH`, `P2WSH` or `P2TR`, are absent for other scripts, such as one with data. */
const outputFacts =
  (network: BitcoinNetwork) =>
  ({ amount, script }: BitcoinOutput): Fact => {
    const payee = payeeOf(script)
    return {
      value: amount,
      script_pubkey: encodeHex(script),
      ...(payee === undefined ? {} : { address: addressOfPayee(network, payee), address_type: payee.type }),
    }
  }
