import { decodeHex, decodeUtf8 } from '../../core/bytes.ts'
import { rootOf } from '../../core/keys/derive.ts'
import { readMnemonic, type Mnemonic } from '../../core/keys/mnemonic.ts'
import { isPrivateKey, publicKeyOf, uncompressed } from '../../core/keys/public-key.ts'
import { importedKind } from '../../core/ports/imported-kind.ts'
import type { Coming, ImportedFrom } from '../../core/ports/keyring.ts'
import type { SealedPlace, SealedRow } from '../../core/ports/sealed-rows.ts'
import { decryptWith } from './hpke.ts'
import { sealed, type DataKey } from './sealing.ts'
import { seedOf } from './seed.ts'
import { PRIVATE_KEY, privateKeySecret, SECRET, userSecret, WALLET, walletSecret } from './secrets.ts'

/** What was encrypted, what it has to be, and the place and the data key under which it is sealed. */
export type Importing = ImportedFrom & {
  readonly coming: Coming
  readonly place: SealedPlace
  readonly dataKey: DataKey
}

/** The row, and the public key by which the secret is known; or why there is none. */
export type Imported =
  { readonly row: SealedRow; readonly publicKey: string } | { readonly refused: 'does not open' | 'is something else' }

/** Opens it with the private key of a target, and seals it: nothing that is open leaves the thread. */
export const imported = async (
  target: Uint8Array,
  { encrypted, arrival, coming, place, dataKey }: Importing,
): Promise<Imported> => {
  const publicKey = decodeHex(uncompressed(CURVE, publicKeyOf(CURVE, target))) ?? new Uint8Array()
  const plain = await decryptWith(target, publicKey, encrypted)
  try {
    if (plain === undefined) return { refused: 'does not open' }
    const read = secretIn(coming, plain)
    if (read === undefined) return { refused: 'is something else' }
    try {
      const kind = importedKind(read.kind, arrival)
      return { row: sealed(dataKey, place, kind, read.secret), publicKey: read.publicKey }
    } finally {
      read.secret.fill(0)
    }
  } finally {
    plain?.fill(0)
    dataKey.key.fill(0)
  }
}

const CURVE = 'CURVE_P256'

type Read = { readonly kind: string; readonly secret: Uint8Array; readonly publicKey: string }

const secretIn = (coming: Coming, plain: Uint8Array): Read | undefined => {
  if (coming._tag === 'secret') return { kind: SECRET, secret: userSecret(plain), publicKey: '' }
  if (coming._tag === 'mnemonic') return walletIn(plain)
  const { curve } = coming
  return isPrivateKey(curve, plain)
    ? { kind: PRIVATE_KEY, secret: privateKeySecret(curve, plain), publicKey: publicKeyOf(curve, plain) }
    : undefined
}

const walletIn = (plain: Uint8Array): Read | undefined => {
  const mnemonic = mnemonicIn(decodeUtf8(plain) ?? '')
  if (mnemonic === undefined) return undefined
  const seed = seedOf(mnemonic)
  const root = rootOf(seed, 'CURVE_SECP256K1')
  try {
    return { kind: WALLET, secret: walletSecret(mnemonic), publicKey: publicKeyOf('CURVE_SECP256K1', root.privateKey) }
  } finally {
    for (const secret of [mnemonic.entropy, seed, root.privateKey, root.chainCode]) secret.fill(0)
  }
}

/** Clients put this between the words and a passphrase. */
const PASSPHRASE = '\n--PASS--\n'

const mnemonicIn = (text: string): Mnemonic | undefined => {
  const at = text.indexOf(PASSPHRASE)
  const [words, passphrase] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + PASSPHRASE.length)]
  const read = words.includes('\n') || passphrase.includes('\n') ? undefined : readMnemonic(words)
  return read && { ...read, passphrase }
}
