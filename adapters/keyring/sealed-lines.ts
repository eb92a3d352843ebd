import * as t from 'io-ts'
import { decodeCanonicalBase64, encodeBase64 } from '../../core/bytes.ts'
import { closed } from '../../core/codec/codec.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { sealedPages } from '../../core/log/sealed-pages.ts'
import type { GonePlace, SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import { E } from '../../core/prelude.ts'

/* Sealed rows as text: a line of JSON for each row and each place that is gone, in the order of the store, and one line that closes it. */

const Row = closed({ organization: t.string, id: t.string, kind: t.string, dataKey: t.string, bytes: t.string })
const Gone = closed({ organization: t.string, id: t.string, gone: t.literal(true) })
/** How many lines of each there are: a file that was cut does not have it. */
const Closing = closed({ rows: t.number, gone: t.number })

type Entry = SealedRow | GonePlace

/** The lines of all rows and gone places. A failure is the last one. */
export const sealedLines = async function* (
  rows: Pick<SealedRows, 'list'>,
): AsyncGenerator<E.Either<Failure, string>, void> {
  const count = { rows: 0, gone: 0 }
  for await (const page of sealedPages(rows)) {
    if (E.isLeft(page)) {
      yield page
      return
    }
    for (const entry of page.right) count['isGone' in entry ? 'gone' : 'rows'] += 1
    yield E.right(page.right.map((entry) => `${JSON.stringify(jsonOf(entry))}\n`).join(''))
  }
  yield E.right(`${JSON.stringify(count)}\n`)
}

const jsonOf = (entry: Entry): t.TypeOf<typeof Row> | t.TypeOf<typeof Gone> => {
  const { organization, id } = entry
  if ('isGone' in entry) return { organization, id, gone: true }
  return { organization, id, kind: entry.kind, dataKey: entry.dataKey, bytes: encodeBase64(entry.bytes) }
}

/**
 * Rows to read from lines, page by page, once and in their order. A line that is something else, and an end without the closing line, is
 * `STORE_UNREADABLE`.
 */
export const readSealedLines = (lines: AsyncIterable<string>): Pick<SealedRows, 'list'> => {
  const entries = entriesOf(lines)
  return {
    list: (_, limit) => async () => {
      const page: Entry[] = []
      while (page.length < limit) {
        const next = await entries.next()
        if (next.done === true) break
        if (E.isLeft(next.value)) return next.value
        page.push(next.value.right)
      }
      return E.right(page)
    },
  }
}

const entriesOf = async function* (lines: AsyncIterable<string>): AsyncGenerator<E.Either<Failure, Entry>> {
  let [number, isClosed] = [0, false]
  const count = { rows: 0, gone: 0 }
  for await (const line of lines) {
    number += 1
    const json = isClosed ? undefined : parsed(line)
    isClosed = Closing.is(json) && json.rows === count.rows && json.gone === count.gone
    const entry = isClosed ? undefined : entryOf(json)
    if (entry === undefined && !isClosed) yield E.left(unreadable(`line ${number} is none of it`))
    if (entry === undefined) continue
    count['isGone' in entry ? 'gone' : 'rows'] += 1
    yield E.right(entry)
  }
  if (!isClosed) yield E.left(unreadable('its end is missing'))
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const entryOf = (json: unknown): Entry | undefined => {
  if (Gone.is(json)) return { organization: json.organization, id: json.id, isGone: true }
  if (!Row.is(json)) return undefined
  const bytes = decodeCanonicalBase64(json.bytes)
  return bytes && json.id !== '' ? { ...json, bytes } : undefined
}

const unreadable = (why: string): Failure => failure('STORE_UNREADABLE', `these are no sealed keys: ${why}`)
