/**
 * What an adapter hands over: the raw bytes, and what it knows of their way here. The bytes are what was signed; nobody
 * parses them before the engine does.
 */
export type Request = {
  /** Headers that carry a stamp, as they arrived; names in any case. An array where a header was sent more than once. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: Uint8Array
  /** Where the request came from; null where there is no network between. */
  readonly address: string | null
}
