import { failure, type Failure } from '../failure.ts'
import type { Curve, Signatures } from '../ports/signatures.ts'
import { E } from '../prelude.ts'
import { parseApiKeyStamp, verifyApiKeyStamp, type ApiKeyStamp } from './api-key-stamp.ts'
import { parsePasskeyStamp, verifyPasskeyStamp, type PasskeyStamp, type RegisteredPasskey } from './passkey-stamp.ts'

/** A caller's signature over a request, by kind of credential: parsed, but not verified. */
export type Stamp = ApiKeyStamp | PasskeyStamp

/** The data of the registered credential that is needed to verify a stamp. */
export type StampedBy =
  { readonly kind: 'api-key'; readonly curve: Curve } | ({ readonly kind: 'passkey' } & RegisteredPasskey)

/** What verifies stamps of all kinds. */
export type StampVerifier = Pick<Signatures, 'verify' | 'verifyRsa' | 'sha256' | 'sha256Hex'>

/** The parsers of the kinds of stamps that this version knows, by header. */
const parsers: ReadonlyMap<string, (text: string) => E.Either<Failure, Stamp>> = new Map<
  string,
  (text: string) => E.Either<Failure, Stamp>
>([
  ['X-Stamp', parseApiKeyStamp],
  ['X-Stamp-WebAuthn', parsePasskeyStamp],
])

/** The texts of a request's stamp headers. */
export type StampTexts<H extends string = string> = ReadonlyMap<H, string>

/** The one stamp of a request, with its header and its text. */
export type FoundStamp<H extends string = string> = {
  readonly header: H
  readonly text: string
  readonly stamp: Stamp
}

/**
 * Finds the one stamp of a request and parses it. Two headers are refused: the identity of the requester must not depend on which header
 * a server reads first. (A header that is sent twice arrives joined with a comma, which no stamp contains.)
 *
 * @param asks  the kind of the request: the message for a missing stamp differs
 * @returns the stamp; else `SIGNATURE_MISSING`, `UNAUTHENTICATED`, or `UNSUPPORTED` for other kinds of stamp
 */
export const stampOf =
  (asks: 'submit' | 'query') =>
  <H extends string>(texts: StampTexts<H>): E.Either<Failure, FoundStamp<H>> => {
    const [first, second] = texts
    if (first === undefined) return E.left(failure('SIGNATURE_MISSING', missing[asks]))
    if (second !== undefined)
      return E.left(failure('UNAUTHENTICATED', 'expected one stamp; send only one of the stamp headers'))
    const [header, text] = first
    return E.map((stamp: Stamp) => ({ header, text, stamp }))(parseStamp(header, text))
  }

/** Parses the text of a stamp header; `UNSUPPORTED` for a kind of stamp that this version does not know. */
export const parseStamp = (header: string, text: string): E.Either<Failure, Stamp> =>
  parsers.get(header)?.(text) ?? E.left(unsupported(header))

/** Whether the credential of a stamp signed the body. A credential of another kind never did. */
export const verifyStamp =
  (signatures: StampVerifier) =>
  (stamp: Stamp, body: Uint8Array, credential: StampedBy): Promise<boolean> => {
    if (stamp.kind === 'api-key' && credential.kind === 'api-key')
      return verifyApiKeyStamp(signatures)(stamp, body, credential.curve)
    return stamp.kind === 'passkey' && credential.kind === 'passkey'
      ? verifyPasskeyStamp(signatures)(stamp, body, credential)
      : Promise.resolve(false)
  }

const missing: Record<'submit' | 'query', string> = {
  submit: 'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
  query: 'no valid authentication signature found for request',
}
const unsupported = (header: string): Failure =>
  failure(
    'UNSUPPORTED',
    `${names.get(header) ?? 'such'} stamps are not supported by this version; sign with an API key or a passkey`,
  )
const names = new Map([['X-Stamp-Attested', 'attested']])
