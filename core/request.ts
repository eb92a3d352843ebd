/**
 * The headers by which a caller says who asks, as the wire spells them: stamps of API keys, of passkeys and of attested keys, and
 * read-only sessions. A header without a kind of credential is known, and refused.
 */
export const STAMP_HEADERS = ['X-Stamp', 'X-Stamp-WebAuthn', 'X-Stamp-Attested', 'X-Session'] as const
export type StampHeader = (typeof STAMP_HEADERS)[number]

/** A request, as an adapter passes it to the engine. The stamp signs the raw bytes of `body`. */
export type Request = {
  /** Headers that carry a stamp, as they arrived; names in upper or lower case. An array if a header was sent more than once. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: Uint8Array
  /** The caller's address; null if the request did not come over a network. */
  readonly address: string | null
}
