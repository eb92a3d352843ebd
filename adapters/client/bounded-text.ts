/**
 * The most bytes that a client reads of an answer: 128 MiB. A list of activities ends at 4 MiB, and a thousand users have some megabytes;
 * what is longer comes from something else than a server of this API.
 */
export const ANSWER_BYTES_MAX = 128 * 1024 * 1024

/** The text of an answer; `undefined` if it is too long. Then nobody reads the rest. */
export const boundedText = async (
  { body }: Pick<Response, 'body'>,
  bytesMax = ANSWER_BYTES_MAX,
): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  const reader = body?.getReader() // browsers have no other way to read a stream piece by piece
  let bytes = 0
  let text = ''
  for (;;) {
    const read = await reader?.read()
    if (read?.value === undefined) return text + decoder.decode()
    bytes += read.value.length
    if (bytes > bytesMax) {
      void reader?.cancel().catch(() => undefined)
      return undefined
    }
    const piece = decoder.decode(read.value, { stream: true })
    text += text === '' ? piece.trimStart() : piece // so blanks before an answer that never comes need no memory
  }
}
