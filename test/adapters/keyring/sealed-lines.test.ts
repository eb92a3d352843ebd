import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSealedLines, sealedLines } from '../../../adapters/keyring/sealed-lines.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { TE } from '../../../core/prelude.ts'
import { sealedInMemory } from './keyring-under-test.ts'

const it = suite('lines of sealed rows')

const linesOf = async (rows: SealedRows): Promise<readonly string[]> => {
  let text = ''
  for await (const chunk of sealedLines(rows)) text += await right(TE.fromEither(chunk))
  return text.split('\n').slice(0, -1)
}
const reading = (lines: readonly string[]) =>
  readSealedLines(
    (async function* () {
      yield* lines
    })(),
  )

it('are all rows and gone places, in their order, and are read as they were', async () => {
  const rows = sealedInMemory()
  for (let n = 0; n < 700; n += 1) {
    const id = `é"\n${String(n).padStart(4, '0')}`
    await right(
      rows.put({ organization: 'a', id, kind: 'wallet', dataKey: 'k', bytes: Uint8Array.of(n & 255, n >> 8) }),
    )
  }
  await right(rows.delete({ organization: 'a', id: 'z' }))
  await right(rows.deleteAll('b'))
  const lines = await linesOf(rows)
  assert.is(lines.at(-1), '{"rows":700,"gone":2}')
  assert.is(lines.at(-2), '{"organization":"b","id":"","gone":true}')
  const read = reading(lines)
  const pages = [await right(read.list(undefined, 650)), await right(read.list(undefined, 650))]
  same(pages.flat(), await right(rows.list(undefined, 1_000)))
  assert.equal(await right(read.list(undefined, 650)), [])
})

it('are refused if they were cut, go on behind their end, or are something else', async () => {
  const rows = sealedInMemory()
  for (const id of ['a', 'b'])
    await right(rows.put({ organization: 'a', id, kind: 'wallet', dataKey: 'k', bytes: Uint8Array.of(1) }))
  const lines = await linesOf(rows)
  const [first = '', second = '', closing = ''] = lines
  assert.is((await right(reading(lines).list(undefined, 10))).length, 2)
  const wrong = [
    [],
    [first],
    [first, second],
    [first, closing],
    [...lines, second],
    [...lines, closing],
    [first, 'no JSON', closing],
    [first, second.replace('"AQ=="', '"AQ"'), closing],
    [first, second.replace('"kind":"wallet",', ''), closing],
    [first, second.replace('"id":"b"', '"id":""'), closing],
  ]
  for (const text of wrong) await failsWith('STORE_UNREADABLE', reading(text).list(undefined, 10))
})

it.run()
