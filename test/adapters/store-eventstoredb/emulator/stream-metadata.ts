/** What a stream's metadata holds back from its readers. */
export type StreamMetadata = {
  readonly maxCount?: number
  readonly maxAgeSeconds?: number
  /** Events before this number are not read. The largest number there is: the stream was deleted softly. */
  readonly truncateBefore?: bigint
  /** Who may do what; a role or a user. */
  readonly acl?: Readonly<Record<string, string | readonly string[]>>
}

export const NOTHING_KEPT_BACK: StreamMetadata = {}

/** The JSON of the server's own metadata: unknown members are the application's. Text that is no JSON holds nothing back. */
export const readStreamMetadata = (data: Uint8Array): StreamMetadata => {
  const text = Buffer.from(data).toString('utf8')
  const object = objectIn(text)
  const { $maxCount, $maxAge, $acl } = object
  // The bound can be larger than a number of JavaScript: it is read from the text.
  const truncateBefore = /"\$tb"\s*:\s*(\d+)/.exec(text)?.[1]
  return {
    ...(typeof $maxCount === 'number' && { maxCount: $maxCount }),
    ...(typeof $maxAge === 'number' && { maxAgeSeconds: $maxAge }),
    ...(truncateBefore !== undefined && { truncateBefore: BigInt(truncateBefore) }),
    // Only this server's own tests write it, in this shape.
    ...(typeof $acl === 'object' && $acl !== null && { acl: $acl as NonNullable<StreamMetadata['acl']> }),
  }
}

/** The same metadata with another bound, as JSON. */
export const withTruncateBefore = (data: Uint8Array, revision: bigint): Buffer => {
  // JSON has no number so large in JavaScript: it is put in as text.
  const text = JSON.stringify({ ...objectIn(Buffer.from(data).toString('utf8')), $tb: MARK })
  return Buffer.from(text.replace(`"${MARK}"`, `${revision}`))
}

const MARK = 'truncate-before'

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
