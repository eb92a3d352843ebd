/**
 * The headers of stamps, as the wire spells them: of API keys, of passkeys and of attested keys. A header without a kind of credential is known, and
 * refused.
 */
export const STAMP_HEADERS = ['X-Stamp', 'X-Stamp-WebAuthn', 'X-Stamp-Attested'] as const
export type StampHeader = (typeof STAMP_HEADERS)[number]

/** The header of read-only sessions, which ask queries. Beside a stamp it counts for nothing. */
export const SESSION_HEADER = 'X-Session'

/** All headers by which a caller says who asks. */
export const CALLER_HEADERS = [...STAMP_HEADERS, SESSION_HEADER] as const

/** A request, as an adapter passes it to the engine. The stamp signs the raw bytes of `body`. */
export type Request = {
  /** The headers that say who asks, as they arrived; names in upper or lower case. An array if a header was sent more than once. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: Uint8Array
  /** The caller's address; null if the request did not come over a network. */
  readonly address: string | null
}
