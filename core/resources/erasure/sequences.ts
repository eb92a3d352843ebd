/**
 * Writes sequences of a log shortly: in ascending order, neighbours as a range.
 *
 * @param sequences  in ascending order, each once
 * @example '3,5-9' for 3, 5, 6, 7, 8 and 9
 */
export const writeSequences = (sequences: readonly bigint[]): string => {
  const ranges: string[] = []
  let from: bigint | undefined
  let to = 0n
  const close = (): void => {
    if (from !== undefined) ranges.push(from === to ? String(from) : `${from}-${to}`)
  }
  for (const sequence of sequences) {
    if (from !== undefined && sequence === to + 1n) {
      to = sequence
      continue
    }
    close()
    from = to = sequence
  }
  close()
  return ranges.join(',')
}

/** The ranges of a written list, each from its first to its last sequence; undefined for any other text. */
export const readRanges = (text: string): readonly Range[] | undefined => {
  if (text === '') return []
  const ranges: Range[] = []
  let last = 0n
  for (const written of text.split(',')) {
    const found = RANGE.exec(written)
    const from = BigInt(found?.[1] ?? 0)
    const to = BigInt(found?.[2] ?? from)
    const isAscending = from > last && (found?.[2] === undefined || to > from)
    if (found === null || !isAscending) return undefined
    ranges.push({ from, to })
    last = to + 1n // two ranges that touch are written as one
  }
  return ranges
}

export type Range = { readonly from: bigint; readonly to: bigint }

const RANGE = /^([1-9][0-9]{0,18})(?:-([1-9][0-9]{0,18}))?$/
