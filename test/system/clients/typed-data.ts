/** A message of EIP-712 with nested types, lists and numbers. */
export const mail = {
  domain: {
    name: 'Mail',
    version: '1',
    chainId: 1n,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    /** ethers makes this type itself; without it, viem writes no domain into the text that is to be signed. */
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'contents', type: 'string' },
      { name: 'worth', type: 'uint256' },
      { name: 'mark', type: 'bytes32' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
    to: [{ name: 'Bob', wallets: [] }],
    contents: 'Grüß Gott, 🐮',
    worth: 10n ** 18n,
    mark: `0x${'ab'.repeat(32)}`,
  },
} as const
