import { failure, type Failure } from '../failure.ts'
import type { KeyCurve } from '../keys/curve.ts'
import type { SignatureParts, SigningScheme } from '../keys/signing.ts'
import type { Fact } from '../policy/fact.ts'
import { E } from '../prelude.ts'

/** The key that signs a transaction. */
export type TransactionSigner = {
  readonly curve: KeyCurve
  /** Lower-case hex: compressed; for ed25519, 32 bytes. */
  readonly publicKey: string
  /** How it signs for the address by which it was named. */
  readonly scheme: SigningScheme
  /** Of the address by which it was named, such as `ADDRESS_FORMAT_ETHEREUM`; `undefined` where the key was named. */
  readonly format: string | undefined
}

/** The text of the organization's interface for a contract or program; `undefined` if it has none. */
export type InterfaceOf = (address: string) => string | undefined

/** A transaction that was read, and written again to the same bytes. Nothing of it is stored. */
export type ParsedTransaction = {
  /**
   * What has to be signed, in order, in lower-case hex: digests of 32 bytes; for ed25519, the message. Signatures that the transaction has of
   * this signer are no part of it.
   *
   * @returns what was expected of the signer, if its key cannot sign this transaction: it completes the sentence "expected …". A failure, if
   * the part that this signer would sign is of a form that is not signed
   */
  readonly messagesFor: (signer: TransactionSigner) => E.Either<Failure | string, readonly string[]>
  /** What policies see, such as the value of `eth.tx`. Only for a signer that `messagesFor` takes. */
  readonly facts: (signer: TransactionSigner, interfaceOf: InterfaceOf) => Fact
  /**
   * The signed transaction, in lower-case hex.
   *
   * @param signatures  of the messages, in their order
   */
  readonly assemble: (signer: TransactionSigner, signatures: readonly SignatureParts[]) => string
}

/**
 * Reads an unsigned transaction, or one that was signed already. The library that reads it is loaded at the first use. Its version is exact in
 * `package.json`: one that reads otherwise changes decisions, so it needs a new `revision` of the operation.
 *
 * @returns `INVALID_TRANSACTION` for bytes that are none, or that would be written in another way; `UNSUPPORTED_TRANSACTION_TYPE` for a form that
 * is not signed; `UNSUPPORTED` where an optional package is missing
 */
export type ParseTransaction = (bytes: Uint8Array) => Promise<E.Either<Failure, ParsedTransaction>>

/** How chains are signed that take one digest, by keys of secp256k1 with ECDSA. */
export const ecdsaMessage =
  (digest: string): ParsedTransaction['messagesFor'] =>
  ({ curve, scheme }) =>
    curve === 'CURVE_SECP256K1' && scheme === 'ecdsa'
      ? E.right([digest])
      : E.left('a key of secp256k1 that signs with ECDSA')

/** @param expected  completes the sentence "expected …" */
export const invalidTransaction = (expected: string): E.Either<Failure, never> =>
  E.left(failure('INVALID_TRANSACTION', `expected ${expected}`))

/** @param what  names the form, such as "transactions with blobs" */
export const unsupportedTransaction = (what: string): E.Either<Failure, never> =>
  E.left(failure('UNSUPPORTED_TRANSACTION_TYPE', `${what} are not signed here`))

/** An optional package, loaded; `UNSUPPORTED`, which names it, where it is not installed. */
export const optionalPackage = async <P>(name: string, load: () => Promise<P>): Promise<E.Either<Failure, P>> => {
  try {
    return E.right(await load())
  } catch (error) {
    if (!isMissing(error)) throw error
    return E.left(failure('UNSUPPORTED', `this server lacks the package ${name}, which reads such transactions`))
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
