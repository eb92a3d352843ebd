/** A request, as an adapter passes it to the engine. The stamp signs the raw bytes of `body`. */
export type Request = {
  /** Headers that carry a stamp, as they arrived; names in upper or lower case. An array if a header was sent more than once. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: Uint8Array
  /** The caller's address; null if the request did not come over a network. */
  readonly address: string | null
}
