import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { beforeFirst, link, type Linked } from '../../../core/log/chain.ts'
import { partReader } from '../../../core/log/part-reader.ts'
import { codeOf, right } from '../world/world.ts'
import { digest } from '../audit/logs.ts'

const it = suite('a reader of parts')

const organization = '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d'

/** A log of so many events, of which every second has a part; `reads` are the places behind which was read. */
const scene = async (length: number) => {
  const { store } = memoryStore()
  const all: Linked[] = []
  for (let n = 0; n < length; n += 1)
    all.push(
      link({ digest, ids: nodeIds() }, all.at(-1)?.tip ?? beforeFirst, {
        organization,
        activity: nodeIds().uuid(),
        revision: 1n,
        at: '2026-01-01T00:00:00.000Z',
        payload: { type: 'ActivityCompleted', data: { type: 'T', result: n, change: null, revision: 1 } },
        parts: n % 2 === 0 ? { a: encodeUtf8(`${n}`) } : {},
      }),
    )
  const events = all.map(({ record }) => record)
  right(await store.append([{ organization, expected: 'none', events, checks: [] }])())
  const reads: bigint[] = []
  const reader = partReader((after, limit, options) => {
    reads.push(after)
    return store.readLog(organization, after, limit, options)
  })
  return { store, reader, reads, events: all.map(({ event }) => event) }
}

it('reads nothing for events that name no parts, and once for those that stand near each other', async () => {
  const { reader, reads, events } = await scene(500)
  for (const event of events) {
    const parts = right(await reader(event, event.sequence, []))
    assert.equal([...parts.values()], event.sequence % 2n === 1n ? [encodeUtf8(String(event.sequence - 1n))] : [])
  }
  assert.equal(reads, [0n, 200n, 400n])
})

it('says what was erased, and fails where an event is gone', async () => {
  const { store, reader, events } = await scene(3)
  right(await store.eraseParts(organization, [{ sequence: 1n, name: 'a' }])())
  const [first] = events
  if (first === undefined) throw new Error('no event')
  assert.equal([...right(await reader(first, 1n, []))], [['a', 'erased']])
  assert.is(codeOf(await reader({ ...first, id: 'another' }, 1n, [])), 'STORE_UNREADABLE')
  await store.close()
  assert.is(codeOf(await partReader((...asked) => store.readLog(organization, ...asked))(first, 1n, [])), 'UNAVAILABLE')
})

it.run()
