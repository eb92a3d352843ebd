import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { StampHeader } from '../request.ts'
import { kindIn, kindOfStamp, type Stamp, type StampedBy } from './credential.ts'
import type { StampVerifier } from './credential-kind.ts'

/** The texts of a request's stamp headers. */
export type StampTexts = ReadonlyMap<StampHeader, string>

/** The one stamp of a request, with its header and its text. */
export type ReadStamp = { readonly header: StampHeader; readonly text: string; readonly stamp: Stamp }

/**
 * Finds the one stamp of a request and parses it. Two headers are refused: the identity of the requester must not depend on which header
 * a server reads first. (A header that is sent twice arrives joined with a comma, which no stamp contains.)
 *
 * @param asks  the kind of the request: the message for a missing stamp differs
 * @returns the stamp; else `SIGNATURE_MISSING`, `UNAUTHENTICATED`, or `UNSUPPORTED` for other kinds of stamp
 */
export const stampOf =
  (asks: 'submit' | 'query') =>
  (texts: StampTexts): E.Either<Failure, ReadStamp> => {
    const [first, second] = texts
    if (first === undefined) return E.left(failure('SIGNATURE_MISSING', missing[asks]))
    if (second !== undefined)
      return E.left(failure('UNAUTHENTICATED', 'expected one stamp; send only one of the stamp headers'))
    const [header, text] = first
    return E.map((stamp: Stamp) => ({ header, text, stamp }))(parseStamp(header, text))
  }

/** Parses the text of a stamp header; `UNSUPPORTED` for a kind of stamp that this version does not know. */
export const parseStamp = (header: string, text: string): E.Either<Failure, Stamp> =>
  kindIn(header)?.parse(text) ?? E.left(unsupported(header))

/** Whether the credential of a stamp signed the body. A credential of another kind never did. */
export const verifyStamp =
  (signatures: StampVerifier) =>
  (stamp: Stamp, body: Uint8Array, credential: StampedBy): Promise<boolean> =>
    stamp.kind === credential.kind
      ? kindOfStamp(stamp).verify(signatures)(stamp, body, credential)
      : Promise.resolve(false)

const missing: Record<'submit' | 'query', string> = {
  submit: 'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
  query: 'no valid authentication signature found for request',
}

/** Such as `attested` for `X-Stamp-Attested`. */
const unsupported = (header: string): Failure => {
  const name = header.replace(/^X-(?:Stamp-)?/, '').toLowerCase()
  return failure('UNSUPPORTED', `${name} stamps are not supported by this version; sign with an API key or a passkey`)
}
