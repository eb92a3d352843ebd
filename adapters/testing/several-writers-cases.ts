import { ok } from 'node:assert/strict'
import type { Recorded } from '../../core/ports/event-store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { anyCommit, anyEvent, anyEvents, anyPart, committed, conflict, duplicate } from './any.ts'
import { failsWith, right, same, until } from './expect.ts'
import { append, closed, storeCase, withOpened, withSecond } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A case with a second handle on the same store. */
const beside = (number: string, name: string, test: (one: Storage, two: Storage) => Promise<void>): StoreCase =>
  storeCase(number, name, ['severalWriters', 'openBeside'], (opened) => withSecond(opened, test))

const GROUPS = 150
const AT_ONCE = 16

/** Appends many commits to a few logs, several at a time. Gives the ids in the order of the calls, for each log. */
const writeMuch = async (storage: Storage, writer: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const given = new Map<string, string[]>()
  for (let n = 0; n < GROUPS; n += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, (_, i) => {
      const name = `log ${(n + i) % 3}`
      const events = Array.from({ length: 1 + ((n + i) % 3) }, (_, e) => anyEvent({ id: `${writer} ${n + i} ${e}` }))
      given.set(name, [...(given.get(name) ?? []), ...events.map(({ id }) => id)])
      return append(storage, anyCommit({ organization: name, events }))
    })
    for (const answers of await Promise.all(calls)) same(answers[0]?._tag, 'committed')
  }
  return given
}

/** Reads on behind what it has, until `isOver` and nothing more comes. */
const follow = async ({ store }: Storage, isOver: () => boolean): Promise<readonly Recorded[]> => {
  const read: Recorded[] = []
  for (;;) {
    const wasOver = isOver()
    const page = await right(store.readAll(read.at(-1)?.position ?? 0n, 100))
    read.push(...page)
    if (page.length === 0 && wasOver) return read
    await tick()
  }
}

/** Every log without a gap, and every writer's events in the order in which it gave them. */
const isInOrder = (all: readonly Recorded[], given: readonly ReadonlyMap<string, readonly string[]>[]): void => {
  ok(all.every(({ position }, i) => position > (all[i - 1]?.position ?? 0n)))
  for (const name of new Set(all.map((event) => event.organization))) {
    const own = all.filter((event) => event.organization === name)
    same(
      own.map(({ sequence }) => sequence),
      own.map((_, i) => BigInt(i + 1)),
    )
    for (const of of given) {
      const ids = new Set(of.get(name))
      same(
        own.map(({ id }) => id).filter((id) => ids.has(id)),
        [...ids],
      )
    }
  }
}

export const severalWritersCases: readonly StoreCase[] = [
  beside('77', 'gives the commits of two writers one order, in which no log has a gap', async (one, two) => {
    const given = await Promise.all([writeMuch(one, 'one'), writeMuch(two, 'two')])
    const all = await right(one.store.readAll(0n, 100_000))
    isInOrder(all, given)
    same(all.length, [...given.flatMap((of) => [...of.values()])].flat().length)
  }),

  beside('78', 'shows no event behind one that was read already, while two write', async (one, two) => {
    const state = { isOver: false }
    const reading = follow(two, () => state.isOver)
    const given = await Promise.all([writeMuch(one, 'one'), writeMuch(two, 'two')])
    state.isOver = true
    const read = await reading
    isInOrder(read, given)
    same(
      read.map(({ id }) => id),
      (await right(one.store.readAll(0n, 100_000))).map(({ id }) => id),
    )
  }),

  beside('79', 'lets exactly one of two writers win that race for a place', async (one, two) => {
    for (let sequence = 0n; sequence < 10n; sequence++) {
      const race = [one, two].map((storage) => append(storage, anyCommit({ organization, expected: sequence })))
      same(
        (await Promise.all(race))
          .flat()
          .map(({ _tag }) => _tag)
          .sort(),
        ['committed', 'conflict'],
      )
    }
  }),

  beside('80', 'judges by what another writer has appended', async (one, two) => {
    const commit = anyCommit({ organization, expected: 'none', events: anyEvents(2, 'payment') })
    same(await append(one, commit), [committed(2n, 2n)])
    const checks = [{ organization, sequence: 1n }]
    const again = anyCommit({ organization, events: [anyEvent({ activity: 'payment', revision: 2n })] })
    same(await append(two, commit, anyCommit({ organization, expected: 1n }), again, anyCommit({ checks })), [
      duplicate(2n, 2n),
      conflict(2n, 2n),
      { _tag: 'revision-conflict', activity: 'payment', revision: 2n },
      { _tag: 'check-failed', organizations: [{ organization, sequence: 2n }] },
    ])
    same(await append(two, anyCommit({ organization, expected: 2n })), [committed(3n, 3n)])
    same(await append(one, anyCommit({ organization, expected: 2n })), [conflict(3n, 3n)])
  }),

  beside('81', 'wakes those who watch when another process has appended', async (one, two) => {
    for (let n = 0; n < 3; n++) {
      const heard = { times: 0 }
      const stop = two.store.watch(() => (heard.times += 1))
      const [answer] = await append(one, anyCommit())
      await until(() => heard.times > 0)
      stop()
      ok(answer?._tag === 'committed')
      same(await right(two.store.lastPosition()), answer.position)
    }
  }),

  beside('82', 'shows parts, erasures, standings and the import to another process', async (one, two) => {
    const parts = [anyPart(), anyPart({ name: 'personal:x' })]
    const standing = { type: 'T', status: 'S' }
    await append(one, anyCommit({ organization, events: [anyEvent({ activity: 'a', parts, standing })] }))
    same((await right(two.store.readLog(organization, 0n, 9)))[0]?.parts, parts)
    await right(two.store.eraseParts(organization, [{ sequence: 1n, name: 'personal:x' }]))
    same((await right(one.store.readAll(0n, 9)))[0]?.parts, parts.slice(0, 1))
    await right(two.store.setStandings([{ organization, activity: 'a', status: 'R' }], 3n))
    same((await right(one.store.activities(organization, { limit: 9 })))[0]?.status, 'R')
    same(await right(one.store.standingsVersion()), 3n)
    await right(one.store.setImportedTo(1n))
    same(await right(two.store.importedTo()), 1n)
  }),

  beside('83', 'keeps a process that was overtaken by another from moving a checkpoint', async (one, two) => {
    await right(one.readModels.move('p', 0n, 5n, []))
    await failsWith('CONFLICT', two.readModels.move('p', 0n, 9n, []))
    for (let from = 5n; from < 15n; from++) {
      const race = [one, two].map(({ readModels }) => readModels.move('p', from, from + 1n, [])())
      same((await Promise.all(race)).map(({ _tag }) => _tag).sort(), ['Left', 'Right'])
    }
    const snapshot = { organization, sequence: 1n, hash: 'a', version: 'v', parts: [] }
    await right(one.readModels.saveSnapshot(snapshot))
    await right(two.readModels.saveSnapshot({ ...snapshot, sequence: 2n }, snapshot))
    await failsWith('CONFLICT', one.readModels.saveSnapshot({ ...snapshot, sequence: 3n }, snapshot))
    await right(one.readModels.dropSnapshot(organization))
    same(await right(two.readModels.snapshot(organization)), undefined)
  }),

  beside('87', 'keeps no snapshot that a process saves while another one drops it', async (one, two) => {
    const snapshot = { organization, hash: 'a', version: 'v', parts: [] }
    for (let drops = 0n; drops < 20n; drops++) {
      const saving = [1n, 2n].map((sequence) =>
        one.readModels.saveSnapshot({ ...snapshot, sequence }, undefined, drops)(),
      )
      const dropping = two.readModels.dropSnapshot(organization)
      await Promise.all([...saving, right(dropping)])
      same(await right(one.readModels.snapshot(organization)), undefined)
      same(await right(one.readModels.snapshotDrops(organization)), drops + 1n)
    }
  }),

  beside('84', 'goes on after another process has closed its handle', async (one, two) => {
    await append(two, anyCommit({ organization }))
    const writing = Promise.all(Array.from({ length: 20 }, () => append(one, anyCommit({ organization }))))
    await closed(two)
    same(new Set((await writing).flat().map(({ _tag }) => _tag)), new Set(['committed']))
    same((await right(one.store.head(organization)))?.sequence, 21n)
  }),

  {
    number: '85',
    name: 'appends and reads in order beside transactions of a host that began earlier and end later',
    needs: ['openWithHost'],
    test: async (under) => {
      if (under.openWithHost === undefined) return
      await withOpened(under, under.openWithHost, async (opened, { begin }) => {
        const early = await begin()
        const state = { isOver: false }
        const reading = follow(opened, () => state.isOver)
        const first = await writeMuch(opened, 'first')
        const late = await begin()
        await early.commit()
        const second = await writeMuch(opened, 'second')
        state.isOver = true
        const read = await reading // while the other transaction is still open
        isInOrder(read, [first, second])
        same(read.at(-1)?.position, await right(opened.store.lastPosition()))
        await right(opened.store.eraseParts(organization, [{ sequence: 1n, name: 'request' }]))
        await late.commit()
      })
    },
  },

  {
    number: '86',
    name: 'keeps two stores apart that stand in one place',
    needs: [],
    test: (under) =>
      withOpened(under, under.open, (one) =>
        withOpened(under, under.open, async (two) => {
          const commit = anyCommit({ organization, expected: 'none', events: [anyEvent({ parts: [anyPart()] })] })
          const heard: string[] = []
          const stop = two.store.watch(() => heard.push('two'))
          same(await append(one, commit, anyCommit({ organization })), [committed(1n, 1n), committed(2n, 2n)])
          same(await right(two.store.organizations('', 9)), [])
          same(heard, [])
          stop()
          same(await append(two, commit), [committed(1n, 1n)])
          await right(one.store.eraseParts(organization, [{ sequence: 1n, name: 'request' }]))
          same(
            (await right(two.store.readAll(0n, 9))).map(({ parts }) => parts.length),
            [1],
          )
          await right(one.readModels.move('p', 0n, 2n, []))
          same(await right(two.readModels.projections()), [])
          await right(two.readModels.dropSnapshots())
          await right(two.store.setImportedTo(1n))
          same(await right(one.store.importedTo()), 0n)
        }),
      ),
  },
]
