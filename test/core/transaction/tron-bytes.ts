import { concat, encodeUtf8 } from '../../../core/bytes.ts'

/*
 * Writes protocol buffers field by field, and so also what no library writes. The code under test is not used.
 */

/** A field of a message: a number is written as a varint, everything else behind its length. */
export const field = (number: number, content: bigint | Uint8Array | string): Uint8Array => {
  if (typeof content === 'bigint') return concat([varint(BigInt(number * 8)), varint(content)])
  const bytes = typeof content === 'string' ? encodeUtf8(content) : content
  return concat([varint(BigInt(number * 8 + 2)), varint(BigInt(bytes.length)), bytes])
}

/** Negative numbers have ten bytes: they are those of 64 bits. */
export const varint = (value: bigint): Uint8Array => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  do {
    bytes.push(Number(rest % 128n) + (rest >= 128n ? 128 : 0))
    rest /= 128n
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}

/** The address of TRON whose 20 bytes are all the same. */
export const address = (byte: number): Uint8Array => concat([Uint8Array.of(0x41), new Uint8Array(20).fill(byte)])

/** The field of a contract's owner, and a key of a permission with the address of a byte. */
export const owner = field(1, address(1))
export const key = (byte: number, weight: bigint): Uint8Array =>
  field(7, concat([field(1, address(byte)), field(2, weight)]))

export const NAMES = {
  1: 'TransferContract',
  31: 'TriggerSmartContract',
  46: 'AccountPermissionUpdateContract',
  54: 'FreezeBalanceV2Contract',
  55: 'UnfreezeBalanceV2Contract',
  57: 'DelegateResourceContract',
  58: 'UnDelegateResourceContract',
} as const

export const TRANSFER = [owner, field(2, address(2)), field(3, 1_000_000n)]

type Parts = {
  readonly type?: bigint
  readonly typeUrl?: string
  readonly body?: readonly Uint8Array[]
  /** Of the parameter, the contract and the transaction: behind their own fields. */
  readonly inParameter?: readonly Uint8Array[]
  readonly inContract?: readonly Uint8Array[]
  readonly ref?: readonly Uint8Array[]
  readonly before?: readonly Uint8Array[]
  readonly behind?: readonly Uint8Array[]
  readonly contracts?: number
}

/** A transfer, unless another contract is named. */
export const rawData = ({
  type = 1n,
  typeUrl = `type.googleapis.com/protocol.${new Map<string, string>(Object.entries(NAMES)).get(type.toString()) ?? ''}`,
  body = TRANSFER,
  inParameter = [],
  inContract = [],
  ref = [field(1, Uint8Array.of(0xab, 0xcd)), field(4, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))],
  before = [field(8, 1_700_000_060_000n)],
  behind = [field(14, 1_700_000_000_000n)],
  contracts = 1,
}: Parts = {}): Uint8Array => {
  const parameter = concat([field(1, typeUrl), field(2, concat(body)), ...inParameter])
  const contract = field(11, concat([field(1, type), field(2, parameter), ...inContract]))
  return concat([...ref, ...before, ...Array.from({ length: contracts }, () => contract), ...behind])
}

/** Transactions of the network with their ids, which are the hashes that are signed. */
export const published: readonly (readonly [id: string, raw: string])[] = [
  [
    'ae80c7aa55e19c2da5e712d4be50e4c9422dd6bfc99039cc42d5deb76938c0e7',
    [
      '0a028acb22087c571ea3e7e9dbf340c8f1c0cfcd335a66080112620a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e74',
      '7261637412310a1541eca9bc828a3005b9a3b909f2cc5c2a54794de05f121541495511a493d8c362be4267224e6d81013a6862ee18e807708da3bdcfcd33',
    ].join(''),
  ],
  [
    'c70b20da8cb8d96a99c1aceb283412acb9dea313a9e467178431a3c6ae8b9f08',
    [
      '0a028ad92208eaef69105495eb1540f09fc0cfcd335aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d61',
      '7274436f6e747261637412740a1541495511a493d8c362be4267224e6d81013a6862ee121541eca9bc828a3005b9a3b909f2cc5c2a54794de05f2244a9059cbb000000000000',
      '00000000004150125bea243a640bf85348873b6c4f3c517aee7a00000000000000000000000000000000000000000000000000000000000000017090cbbccfcd33900180c2d7',
      '2f',
    ].join(''),
  ],
]
