import { randomBytes } from 'node:crypto'
import { decodeHex } from '../../core/bytes.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { KeyCurve } from '../../core/keys/curve.ts'
import { englishOf } from '../../core/keys/mnemonic.ts'
import { entropyBytesOf, mnemonicLengths } from '../../core/keys/mnemonic-parameters.ts'
import { isSealed, sealedPages } from '../../core/log/sealed-pages.ts'
import { newPrivateKey, publicKeyOf, randomBytesOf, uncompressed } from '../../core/keys/public-key.ts'
import type { Encrypted, IssuedTo, Keyring, KeyPlace } from '../../core/ports/keyring.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import type { SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import { E, TE, pipe } from '../../core/prelude.ts'
import { joined } from './aes-gcm.ts'
import { dataKeysOf } from './data-keys.ts'
import { boundAad, decryptWith, encryptTo } from './hpke.ts'
import { imports } from './imports.ts'
import { keyThread, type KeyThread } from './key-thread.ts'
import { missing, sealedPlaceOf, type UseKey } from './stored-key.ts'
import { sealed } from './sealing.ts'
import { IMPORT_TARGET, PRIVATE_KEY, privateKeySecret, WALLET, walletSecret } from './secrets.ts'

export type NodeKeyringOptions = {
  /** Where the secrets are, sealed: `sealed` of a store. */
  readonly sealed: SealedRows
  /** What opens them. */
  readonly keystore: Keystore
  /** Gives so many bytes of a secret; for tests. Default: the random bytes of Node. */
  readonly random?: (bytes: number) => Uint8Array
}

export type NodeKeyring = Keyring & {
  /**
   * Whether the keystore is the one of this store: unwraps the data key of its first row.
   *
   * @returns `CONFIGURATION_INVALID` if it is another one; `UNAVAILABLE` if store or keystore do not answer
   */
  readonly check: TE.TaskEither<Failure, void>
  /** Waits for what is under way, overwrites what is open, and ends the thread. What comes later fails with `UNAVAILABLE`. */
  readonly close: () => Promise<void>
}

/**
 * A keyring that computes in a thread of its own. It reads a secret's row from the store each time, so a secret that any process has deleted is
 * `KEY_MISSING` at once; the thread keeps what it has opened in memory for a minute after the last use, and then overwrites it.
 */
export const nodeKeyring = (options: NodeKeyringOptions): NodeKeyring => keyringOn(keyThread(), options)

/** As `nodeKeyring`, in a thread that others may use, too: a key is opened only with its row and its data key. */
export const keyringOn = (
  thread: KeyThread,
  { sealed: rows, keystore, random = randomBytes }: NodeKeyringOptions,
): NodeKeyring => {
  const dataKeys = dataKeysOf(keystore)

  const make = (place: KeyPlace, kind: string, secret: () => Uint8Array): TE.TaskEither<Failure, void> =>
    pipe(
      dataKeys.own,
      TE.flatMap((dataKey) =>
        rows.put(sealing(secret(), (bytes) => sealed(dataKey, sealedPlaceOf(place), kind, bytes))),
      ),
      TE.flatMap((put) => (put === 'gone' ? TE.left(missing) : TE.right(undefined))),
    )

  const use: UseKey = (place, tag, what) =>
    pipe(
      rows.get(sealedPlaceOf(place)),
      TE.flatMap((row) => (row === undefined ? TE.left(missing) : TE.right(row))),
      TE.flatMap((row) =>
        pipe(
          dataKeys.unwrap(row.dataKey),
          TE.flatMap((dataKey) => thread.use({ dataKey, row: { ...row, bytes: joined(row.bytes) } }, tag, what)),
        ),
      ),
    )

  const newKey = (curve: KeyCurve): Uint8Array =>
    sealing(random(randomBytesOf(curve)), (bytes) =>
      sealing(newPrivateKey(curve, bytes), (privateKey) => privateKeySecret(curve, privateKey)),
    )

  return {
    issueKey: (to, boundTo) =>
      TE.tryCatch(
        () => sealing(random(randomBytesOf('CURVE_P256')), (bytes) => issuedTo(to, bytes, boundTo)),
        () => notEncrypted, // what was thrown may quote it
      ),
    open: (bytes, encrypted) => () =>
      sealing(newPrivateKey('CURVE_P256', bytes), async (privateKey) =>
        E.right(await openedWith(privateKey, encrypted)),
      ),
    openEnvelope: (place, envelope) => use(place, 'openEnvelope', { envelope: joined(envelope) }),
    encryptTo: (to, bytes) =>
      TE.tryCatch(
        () => encryptTo(decodeHex(uncompressed('CURVE_P256', to)) ?? new Uint8Array(), bytes),
        () => notEncrypted, // what was thrown may quote it
      ),
    makeSeed: (place, words) => {
      const length = entropyBytesOf(words)
      return length === undefined
        ? TE.left(failure('REQUEST_INVALID', `expected a mnemonic of ${mnemonicLengths.join(', ')} words`))
        : make(place, WALLET, () => sealing(random(length), (entropy) => walletSecret(englishOf(entropy))))
    },
    makeKey: (place, curve) => make(place, PRIVATE_KEY, () => newKey(curve)),
    makeTarget: (place) => make(place, IMPORT_TARGET, () => newKey('CURVE_P256')),
    ...imports({ rows, dataKeys, use }),
    exportSecret: (place, going, to) => use(place, 'encrypt', { going, to }),
    publicKeys: (place, of) => use(place, 'publicKeys', { of }),
    sign: (place, path, scheme, messages) => use(place, 'sign', { path, scheme, messages }),
    check: pipe(
      firstRow(rows),
      TE.flatMap((row) =>
        row === undefined
          ? TE.right(undefined)
          : pipe(
              dataKeys.unwrap(row.dataKey),
              TE.bimap(
                (f): Failure => ({ ...f, message: `the keystore does not open the keys of this store: ${f.message}` }),
                () => undefined,
              ),
            ),
      ),
    ),
    close: thread.close,
  }
}

const notEncrypted = failure('INTERNAL', 'a key could not be encrypted to the key of a client')

/** What is made of a secret, which is then overwritten. */
const sealing = <A>(secret: Uint8Array, f: (secret: Uint8Array) => A): A => {
  try {
    return f(secret)
  } finally {
    secret.fill(0)
  }
}

/** @param privateKey  is overwritten by the caller, who does not wait */
const openedWith = async (privateKey: Uint8Array, encrypted: Encrypted): Promise<Uint8Array | undefined> => {
  const own = joined(privateKey)
  try {
    const publicKey = uncompressed('CURVE_P256', publicKeyOf('CURVE_P256', own))
    return await decryptWith(own, decodeHex(publicKey) ?? new Uint8Array(), encrypted)
  } finally {
    own.fill(0)
  }
}

/** @param bytes  as `newPrivateKey` takes them; they are overwritten by the caller, who does not wait */
const issuedTo = async (to: string, bytes: Uint8Array, boundTo: string | undefined): Promise<IssuedTo> => {
  const privateKey = newPrivateKey('CURVE_P256', bytes)
  try {
    const target = decodeHex(uncompressed('CURVE_P256', to)) ?? new Uint8Array()
    const publicKey = publicKeyOf('CURVE_P256', privateKey)
    const aad = (encapped: Uint8Array) => boundAad(encapped, target, boundTo ?? '', publicKey)
    return { publicKey, encrypted: await encryptTo(target, privateKey, boundTo === undefined ? {} : { aad }) }
  } finally {
    privateKey.fill(0)
  }
}

/** The first row that the store has; places where rows were deleted may stand before it. */
const firstRow =
  (rows: SealedRows): TE.TaskEither<Failure, SealedRow | undefined> =>
  async () => {
    for await (const page of sealedPages(rows)) {
      if (E.isLeft(page)) return page
      for (const entry of page.right) if (isSealed(entry)) return E.right(entry)
    }
    return E.right(undefined)
  }
