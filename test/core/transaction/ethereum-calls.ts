/*
 * Calls of contracts of Ethereum, and entries of their ABIs.
 */

/** The entry of an ABI for the transfer of tokens. */
export const transfer = {
  type: 'function',
  name: 'transfer',
  inputs: [
    { name: 'to', type: 'address', internalType: 'address' },
    { name: 'amount', type: 'uint256', internalType: 'uint256' },
  ],
  outputs: [{ name: '', type: 'bool' }],
  stateMutability: 'nonpayable',
}

/** The entry for the allowance of another account. */
export const approve = { ...transfer, name: 'approve' }

/** The receiver of the tokens: 20 bytes. */
export const TO = 'ab'.repeat(20)

export const word = (value: bigint | number): string =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')

/** The call data of a transfer, without `0x`. */
export const transferOf = (amount: bigint | number): string => `a9059cbb${TO.padStart(64, '0')}${word(amount)}`
