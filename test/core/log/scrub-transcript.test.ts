import * as fc from 'fast-check'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { concat, decodeUtf8, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import type { Failure } from '../../../core/failure.ts'
import { scrubTranscript, type Scrubbed } from '../../../core/log/scrub-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { pagesOf } from '../../../core/log/transcript.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { begin, right, world, type World } from '../world/world.ts'
import { digest, exported, linesOf } from '../audit/logs.ts'

const it = suite('scrubTranscript')

type Outcome = E.Either<Failure, { readonly text: string; readonly scrubbed: Scrubbed | undefined }>

const scrubbed = async (text: string, store: EventStore, pageEvents = 1000): Promise<Outcome> => {
  const chunks: Uint8Array[] = []
  let told: Scrubbed | undefined
  const entries = readTranscript(digest, [encodeUtf8(text)])
  for await (const chunk of scrubTranscript(digest, entries, pagesOf(store, { pageEvents }), (now) => (told = now))) {
    if (E.isLeft(chunk)) return chunk
    chunks.push(chunk.right)
  }
  return E.right({ text: decodeUtf8(concat(chunks)) ?? '', scrubbed: told })
}

const isEvent = (line: string): boolean => line.startsWith('{"organization"')

/** The first events of an export with their parts, closed anew. */
const beginningOf = (text: string, events: number): string => {
  const lines = text.trimEnd().split('\n').slice(0, -1)
  const kept: string[] = []
  let seen = 0
  for (const line of lines) {
    if (isEvent(line)) seen += 1
    if (seen > events) break
    kept.push(`${line}\n`)
  }
  const before = kept.join('')
  const counts = `"events":${events},"parts":${kept.length - events},"lines":${kept.length}`
  return `${before}{"export":1,${counts},"sha256":"${encodeHex(digest.sha256(encodeUtf8(before)))}"}\n`
}

/** A world on a SQLite file, with another organization beside its own, so that their events mix. */
const withTwo = async (path: string) => {
  const w = await world({ store: right(await openSqliteStore({ path: join(path, 'store.db') })()) })
  const other = await begin(w)
  const act = async (which: number): Promise<void> => {
    const users = [{ userName: `n${which}`, apiKeys: [], authenticators: [], oauthProviders: [], userTags: [] }]
    const place = which % 2 === 0 ? w : other
    await place.done(place.root, 'create_users', { users: withKeys(users) })
  }
  return { ...w, act }
}

const withKeys = (users: readonly { readonly userName: string }[]) =>
  users.map((user) => ({
    ...user,
    userName: `${user.userName} ${nodeIds().uuid()}`,
    apiKeys: [
      { apiKeyName: 'laptop', publicKey: generateKey('API_KEY_CURVE_P256').publicKey, curveType: 'API_KEY_CURVE_P256' },
    ],
  }))

/** Erases parts that are there, each chosen by a number. */
const eraseSome = async (
  { storage: { store } }: Pick<World, 'storage'>,
  chosen: readonly number[],
): Promise<number> => {
  const there = right(await store.readAll(0n, 10_000)()).flatMap(({ organization, sequence, parts }) =>
    parts.map(({ name }) => ({ organization, sequence, name })),
  )
  const places = new Set(chosen.flatMap((number) => there[number % there.length] ?? [])) // all may be erased by now
  for (const place of places) right(await store.eraseParts(place.organization, [place])())
  return places.size
}

const rounds = fc.array(
  fc.record({
    activities: fc.array(fc.nat(3), { maxLength: 4 }),
    erased: fc.array(fc.nat(999), { maxLength: 4 }),
    pageEvents: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
)

it('writes what a new export of the same events would be, after any erasures', async () => {
  const old: { readonly text: string; readonly events: number }[] = []
  await fc.assert(
    fc.asyncProperty(rounds, async (history) => {
      const { path, remove } = await temporaryFolder()
      const w = await withTwo(path)
      old.length = 0
      try {
        for (const { activities, erased, pageEvents } of history) {
          for (const which of activities) await w.act(which)
          const text = await exported(w.storage.store)
          old.push({ text, events: linesOf(text).filter(isEvent).length })
          const count = await eraseSome(w, erased)
          const present = await exported(w.storage.store)
          const newest = right(await scrubbed(text, w.storage.store, pageEvents))
          assert.is(newest.text, present)
          assert.is(newest.scrubbed?.erased, count)
          for (const { text: older, events } of old) {
            const again = right(await scrubbed(older, w.storage.store, pageEvents)).text
            assert.is(again, beginningOf(present, events))
            assert.is(right(await scrubbed(again, w.storage.store)).text, again)
          }
        }
      } finally {
        await w.close()
        await remove()
      }
    }),
    { numRuns: 12 },
  )
})

it('writes the export of an empty store again', async () => {
  const { store } = memoryStore()
  const text = await exported(store)
  assert.is(right(await scrubbed(text, store)).text, text)
})

const refusalOf = async (text: string, store: EventStore): Promise<string> => {
  const outcome = await scrubbed(text, store)
  return E.isLeft(outcome) ? `${outcome.left.code} ${outcome.left.message}` : 'nothing'
}

/** The lines with a closing line that fits them. */
const closed = (lines: readonly string[]): string => {
  const events = lines.filter(isEvent).length
  return beginningOf(`${lines.join('\n')}\n{"export":1}\n`, events)
}

it('refuses an export that is not one of the store, and says which event', async () => {
  const [w, elsewhere] = [await world(), await world()]
  await w.enrol('ada')
  const text = await exported(w.storage.store)
  const lines = text.trimEnd().split('\n').slice(0, -1)
  assert.match(
    await refusalOf(text, elsewhere.storage.store),
    /^CONFLICT the export is not one of this store: line 1: the store has another event there, sequence 1 of /,
  )
  assert.match(await refusalOf(text, memoryStore().store), /^CONFLICT .* line 1: the store has no event there/)
  const swapped = closed([...lines.slice(0, 2), lines[3] ?? '', ...lines.slice(2, 3), ...lines.slice(4)])
  assert.match(await refusalOf(swapped, w.storage.store), /^(?:CONFLICT|STORE_UNREADABLE) .* line \d/)
  const older = closed(lines.filter((line) => !line.startsWith('{"part":"request"')))
  assert.match(
    await refusalOf(older, w.storage.store),
    /^CONFLICT .* line 1: the store still has the part request of sequence 1 /,
  )
  const changed = closed(
    lines.map((line) => (line.startsWith('{"part"') ? line.replace(/"bytes":"..../, '"bytes":"AAAA') : line)),
  )
  assert.match(await refusalOf(changed, w.storage.store), /^CONFLICT .* line 1: the store has another part request /)
  const twice = closed(lines.flatMap((line) => (line.startsWith('{"part"') ? [line, line] : [line])))
  assert.match(await refusalOf(twice, w.storage.store), /^CONFLICT .* a part of sequence 1 of .* stands here twice/)
  const foreign = closed([
    lines[0] ?? '',
    ...lines.slice(1).map((line) => line.replace(/"of":"........-/, '"of":"00000000-')),
  ])
  assert.match(
    await refusalOf(foreign, w.storage.store),
    /^STORE_UNREADABLE .* line 2: this part does not belong to the event/,
  )
  await w.close()
  await elsewhere.close()
})

it('refuses a damaged export: cut, without its closing line, with a wrong count or hash', async () => {
  const w = await world()
  const text = await exported(w.storage.store)
  const cut = text.slice(0, -50)
  const unclosed = `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`
  for (const damaged of [
    cut,
    unclosed,
    text.replace('"events":2', '"events":3'),
    text.replace(/"sha256":"./, (found) => `${found.slice(0, -1)}${found.endsWith('0') ? '1' : '0'}`),
    `${text}${text}`,
    '',
    'no export\n',
  ])
    assert.match(await refusalOf(damaged, w.storage.store), /^STORE_UNREADABLE the export is damaged: line \d+: /)
  await w.close()
})

it('never throws, and never writes what the store does not have, for any change of the bytes', async () => {
  const w = await world()
  const text = await exported(w.storage.store)
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.nat(255), async (at, code) => {
      const changed = `${text.slice(0, at)}${String.fromCodePoint(code)}${text.slice(at + 1)}`
      const outcome = await scrubbed(changed, w.storage.store)
      if (E.isRight(outcome)) assert.is(outcome.right.text, text)
      assert.is(E.isRight(outcome), changed === text)
    }),
    { numRuns: 100 },
  )
  await w.close()
})

it.run()
