import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { decodeUtf8, encodeBase64, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { failure, type Failure } from '../../../core/failure.ts'
import { personalPart } from '../../../core/log/personal-part.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { E, TE } from '../../../core/prelude.ts'
import { right, world } from '../world/world.ts'
import { digest, eventful, exported, linesOf, trio } from '../audit/logs.ts'

const it = suite('transcript')

it('writes a line for each event as the store holds it, its parts behind it, and a closing line', async () => {
  const { root, storage, close } = await world()
  const [created, completed] = right(await storage.store.readAll(0n, 10)())
  const partLine = (of: Recorded | undefined, name: string): string => {
    const part = of?.parts.find((one) => one.name === name)
    const [salt, bytes] = [encodeBase64(part?.salt ?? none), encodeBase64(part?.bytes ?? none)]
    return `{"part":"${name}","of":"${of?.id}","salt":"${salt}","bytes":"${bytes}"}`
  }
  const before = [
    textOf(created?.line),
    partLine(created, 'request'),
    textOf(completed?.line),
    partLine(completed, personalPart(root.userId)),
    '',
  ].join('\n')
  const sha256 = encodeHex(digest.sha256(encodeUtf8(before)))
  assert.is(
    await exported(storage.store),
    `${before}{"export":1,"events":2,"parts":2,"lines":4,"sha256":"${sha256}"}\n`,
  )
  await close()
})

it('is the same text whatever the pages', async () => {
  const made = await trio()
  await eventful(made)
  assert.is(await exported(made.storage.store, 1), await exported(made.storage.store, 1000))
  await made.close()
})

it('leaves out parts that were erased', async () => {
  const { storage, organizationId, close } = await world()
  right(await storage.store.eraseParts(organizationId, [{ sequence: 1n, name: 'request' }])())
  assert.is(linesOf(await exported(storage.store)).length, 3)
  await close()
})

it('writes nothing but the closing line for an empty store', async () => {
  const { store } = memoryStore()
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  assert.is(await exported(store), `{"export":1,"events":0,"parts":0,"lines":0,"sha256":"${sha256}"}\n`)
})

it('leaves out what is appended after it began', async () => {
  const { storage, enrol, close } = await world()
  const pages = pagesOf(storage.store, { pageEvents: 1 })
  const first = await pages.next()
  await enrol('ada')
  let events = first.done === true ? 0 : right(first.value).length
  for await (const page of pages) events += right(page).length
  assert.is(events, 2)
  await close()
})

it('ends with the failure of the store, and without a closing line', async () => {
  const { storage, close } = await world()
  const down = failure('UNAVAILABLE', 'the disk is gone')
  const store = {
    lastPosition: storage.store.lastPosition,
    readAll: (after: bigint) => (after === 0n ? storage.store.readAll(0n, 1) : TE.left(down)),
  }
  const chunks: E.Either<unknown, Uint8Array>[] = []
  for await (const chunk of exportLines(digest, pagesOf(store))) chunks.push(chunk)
  assert.is(chunks.length, 2)
  assert.equal(chunks[1], E.left(down))
  await close()
})

it('ends with a failure where the store has fewer events than it said: a part of a log is no export', async () => {
  const { storage, close } = await world()
  const store = {
    lastPosition: storage.store.lastPosition,
    readAll: (after: bigint) => (after === 0n ? storage.store.readAll(0n, 1) : TE.right([])),
  }
  const chunks: E.Either<Failure, Uint8Array>[] = []
  for await (const chunk of exportLines(digest, pagesOf(store))) chunks.push(chunk)
  assert.equal(
    chunks.map((chunk) => (E.isLeft(chunk) ? chunk.left.code : 'a page')),
    ['a page', 'STORE_UNREADABLE'],
  )
  await close()
})

it('orders the parts of an event by name', async () => {
  const part = (name: string) => ({ name, salt: none, bytes: none })
  const recorded: Recorded = {
    position: 1n,
    organization: 'o',
    sequence: 1n,
    activity: 'a',
    revision: 1n,
    id: 'e',
    line: encodeUtf8('{}'),
    parts: [part('request'), part('note')],
  }
  let text = ''
  for await (const chunk of exportLines(digest, pagesWith(recorded))) text += textOf(right(chunk))
  assert.match(text, /"part":"note".*\n.*"part":"request"/)
})

const none = new Uint8Array(0)
const textOf = (line: Uint8Array = none): string => decodeUtf8(line) ?? ''

async function* pagesWith(recorded: Recorded): AsyncGenerator<E.Either<never, readonly Recorded[]>> {
  yield E.right([recorded])
}

it.run()
