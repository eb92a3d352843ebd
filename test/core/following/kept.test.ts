import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure, type Failure } from '../../../core/failure.ts'
import { follow } from '../../../core/following/follow.ts'
import type { Follower, FollowerOptions } from '../../../core/following/follower.ts'
import type { Kept, Restart } from '../../../core/following/progress.ts'
import type { ReadModels, RowChange } from '../../../core/ports/read-models.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, testClock } from '../world/world.ts'
import { inTime, until } from '../world/under-way.ts'
import { rewindableStore } from '../writing/rewindable-store.ts'
import { anyEvent, placeOf, rowOf } from './stage.ts'

const it = suite('a follower whose rows are kept')

const keptRow = (key: string): RowChange => {
  return { _tag: 'put', organization: '*', key, order: 0n, facets: {}, value: null }
}

type Move = { readonly from: bigint; readonly to: bigint; readonly keys: readonly string[] }

/** A store that can lose its last events, and processes that follow it, one after the other or at once. */
const scene = () => {
  const clock = testClock()
  const { storage, loseAfter } = rewindableStore()
  const moves: Move[] = []
  const move: ReadModels['move'] = (name, from, to, changes) => {
    moves.push({ from, to, keys: changes.map(({ key }) => key) })
    return storage.readModels.move(name, from, to, changes)
  }
  const readModels = new Proxy(storage.readModels, {
    get: (inner, name) => (name === 'move' ? move : (Reflect.get(inner, name) as unknown)),
  })

  const append = async (organization: string): Promise<void> => {
    const all = right(await storage.store.readAll(0n, 100)())
    const { record } = anyEvent(organization, all.filter((one) => one.organization === organization).length + 1)
    right(await storage.store.append([{ organization, expected: 'any', events: [record], checks: [] }])())
  }

  /** What is told of where to go on, and what was asked for and seen since. */
  const process = (
    { begin, resume }: { readonly [ask in keyof Kept]?: () => Restart | Failure | Promise<Restart> },
    more: Partial<FollowerOptions> = {},
  ) => {
    const asked: string[] = []
    const seen: string[] = []
    const answering = (name: keyof Kept, answer: typeof begin) => async (): Promise<E.Either<Failure, Restart>> => {
      asked.push(name)
      const given = (await answer?.()) ?? failure('INTERNAL', `${name} was not to be asked`)
      return 'code' in given ? E.left(given) : E.right(given)
    }
    const options: FollowerOptions = {
      kept: { begin: answering('begin', begin), resume: answering('resume', resume) },
      handle: (event, position) => {
        seen.push(placeOf(event))
        return rowOf(event, position)
      },
      ...more,
    }
    const tried = () => follow({ storage: { ...storage, readModels }, clock }, 'follower', options)
    return { asked, seen, tried, follow: async (): Promise<Follower> => right(await tried()) }
  }

  return {
    clock,
    moves,
    append,
    loseAfter,
    process,
    readModels: storage.readModels,
    stored: async () => right(await storage.readModels.checkpoint('follower')()),
    rows: async () => {
      const all = { limit: 100, ascending: true }
      return right(await storage.readModels.rows('follower', '*', all)()).map(({ key }) => key)
    },
  }
}

/** A scene in which a follower has begun at 1, with a row, and has taken two events. */
const begun = async () => {
  const s = scene()
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  const one = s.process({ begin: () => ({ checkpoint: 1n, changes: [keptRow('begun')] }) })
  const following = await one.follow()
  right(await following.passed(3n))
  await following.close()
  assert.equal([one.asked, one.seen, await s.rows()], [['begin'], ['a2', 'b1'], ['begun', 'a2', 'b1']])
  s.moves.splice(0)
  return s
}

it('begins once, where it is told and with the rows that it is told', async () => {
  const s = await begun()
  await s.append('b')
  const next = s.process({})
  const following = await next.follow()
  right(await following.passed(4n))
  assert.equal([next.asked, next.seen, await s.rows()], [[], ['b2'], ['begun', 'a2', 'b1', 'b2']])
  await following.close()
})

it('begins once also at position 0, before the first event', async () => {
  const s = scene()
  const one = s.process({ begin: () => ({ checkpoint: 0n, changes: [keptRow('begun')] }) })
  await (await one.follow()).close() // before anything came
  assert.equal([one.asked, await s.rows(), await s.stored()], [['begin'], ['begun'], 0n])
  for (const organization of ['a', 'b']) await s.append(organization)
  const next = s.process({ begin: () => ({ checkpoint: 2n, changes: [] }) })
  const following = await next.follow()
  right(await following.passed(2n))
  assert.equal([next.asked, next.seen], [[], ['a1', 'b1']])
  await following.close()
})

it('does not start where it is not told where to begin, and asks again the next time', async () => {
  const s = scene()
  const one = s.process({ begin: () => failure('UNAVAILABLE', 'not now') })
  assert.is(codeOf(await one.tried()), 'UNAVAILABLE')
  assert.equal([s.moves, await s.rows()], [[], []])
  const next = s.process({ begin: () => ({ checkpoint: 0n, changes: [] }) })
  await (await next.follow()).close()
  assert.equal(next.asked, ['begin'])
})

it('keeps its rows where the store has lost events, and goes on where it is told, with the rows that it is told', async () => {
  const s = await begun()
  const next = s.process({ resume: () => ({ checkpoint: 2n, changes: [keptRow('resumed')] }) })
  const following = await next.follow()
  await s.loseAfter(2n)
  await following.startOver()
  assert.equal([next.asked, following.checkpoint(), await s.stored()], [['resume'], 2n, 2n])
  assert.equal([...(await s.rows())].toSorted(), ['a2', 'b1', 'begun', 'resumed'])
  assert.equal(s.moves, [{ from: 3n, to: 2n, keys: ['resumed', '!begun'] }], 'in one move')
  await s.append('c')
  right(await inTime(s.clock, following.passed(3n)))
  assert.equal([next.seen, (await s.rows()).includes('b1')], [['c1'], true])
  await following.close()
})

it('goes on where it is told also where events were lost while nobody followed', async () => {
  const s = await begun()
  await s.loseAfter(2n)
  const next = s.process({ resume: () => ({ checkpoint: 0n, changes: [keptRow('resumed')] }) })
  const following = await next.follow()
  right(await following.passed(2n))
  assert.equal([next.asked, next.seen], [['resume'], ['a1', 'a2']])
  assert.equal(s.moves[0], { from: 3n, to: 0n, keys: ['resumed', '!begun'] })
  assert.ok((await s.rows()).includes('b1'), 'the row of a lost event')
  await following.close()
  const last = s.process({})
  await (await last.follow()).close()
  assert.equal(last.asked, [], 'nothing was lost since')
})

it('begins anew where its rows were lost, too', async () => {
  const s = await begun()
  await s.loseAfter(2n, { rows: 'lost' })
  const next = s.process({ begin: () => ({ checkpoint: 2n, changes: [] }) })
  await (await next.follow()).close()
  assert.equal([next.asked, await s.stored(), await s.rows()], [['begin'], 2n, []])
})

it('is begun by one of two processes that begin at once', async () => {
  const s = scene()
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  const faster = s.process({ begin: () => ({ checkpoint: 1n, changes: [keptRow('faster')] }) })
  const others: Follower[] = []
  const slower = s.process({
    begin: async () => {
      others.push(await faster.follow())
      return { checkpoint: 2n, changes: [keptRow('slower')] }
    },
  })
  const following = await slower.follow()
  for (const each of [following, ...others]) right(await inTime(s.clock, each.passed(3n)))
  assert.equal([faster.asked, slower.asked], [['begin'], ['begin']])
  assert.equal([await s.rows(), await s.stored()], [['faster', 'a2', 'b1'], 3n])
  for (const each of [following, ...others]) await each.close()
})

for (const takes of [true, false])
  it(`is begun by the one that began at position 0 and has ${takes ? '' : 'not '}taken what came since`, async () => {
    const s = scene()
    const faster = s.process({ begin: () => ({ checkpoint: 0n, changes: [keptRow('faster')] }) })
    const slower = s.process({
      begin: async () => {
        const other = await faster.follow()
        if (!takes) await other.close()
        await s.append('a')
        if (takes) right(await inTime(s.clock, other.passed(1n)))
        await other.close()
        return { checkpoint: 1n, changes: [keptRow('slower')] }
      },
    })
    const following = await slower.follow()
    right(await inTime(s.clock, following.passed(1n)))
    assert.equal([await s.rows(), slower.seen], [['faster', 'a1'], takes ? [] : ['a1']])
    await following.close()
  })

it('begins once also where the other process was faster by a moment only', async () => {
  const s = scene()
  for (const organization of ['a', 'b']) await s.append(organization)
  const faster = s.process({ begin: () => ({ checkpoint: 1n, changes: [keptRow('faster')] }) })
  const slower = s.process({ begin: () => ({ checkpoint: 2n, changes: [keptRow('slower')] }) })
  const [one, two] = await Promise.all([faster.follow(), slower.follow()])
  for (const each of [one, two]) right(await inTime(s.clock, each.passed(2n)))
  assert.equal(s.moves.filter(({ keys }) => keys.includes('!begun')).length, 2, 'both have tried')
  assert.equal((await s.rows()).filter((key) => key.endsWith('er')).length, 1)
  for (const each of [one, two]) await each.close()
})

/** Lets another process move the checkpoint while it is asked for so many times where to go on. */
const raced = (s: Awaited<ReturnType<typeof begun>>, times: number) => {
  let asked = 0
  return s.process({
    resume: async () => {
      asked += 1
      const from = await s.stored()
      if (asked <= times) right(await s.readModels.move('follower', from, from === 2n ? 1n : 2n, [])())
      return { checkpoint: 0n, changes: [keptRow(`resumed ${asked}`)] }
    },
  })
}

it('asks again where to go on if another process has moved the checkpoint meanwhile', async () => {
  const s = await begun()
  const next = raced(s, 2)
  await s.loseAfter(2n)
  const following = await next.follow()
  right(await inTime(s.clock, following.passed(2n)))
  assert.equal(next.asked, ['resume', 'resume', 'resume'])
  assert.equal([next.seen, following.checkpoint()], [['a1', 'a2'], 2n])
  assert.equal(
    (await s.rows()).filter((key) => key.startsWith('resumed')),
    ['resumed 3'],
  )
  await following.close()
})

it('rests, and tries again, where others move the checkpoint over and over', async () => {
  const s = await begun()
  const next = raced(s, 7)
  const following = await next.follow()
  await s.loseAfter(2n)
  await following.startOver()
  assert.equal([following.stuck()?.code, next.asked.length], ['CONFLICT', 5])
  await until(() => {
    s.clock.pass(200)
    return following.checkpoint() === 2n
  })
  assert.equal([following.stuck(), next.asked.length, next.seen], [undefined, 8, ['a1', 'a2']])
  assert.equal(
    (await s.rows()).filter((key) => key.startsWith('resumed')),
    ['resumed 8'],
  )
  await following.close()
})

it('keeps trying where it is not told where to go on', async () => {
  const s = await begun()
  let isDown = true
  const next = s.process({
    resume: () => (isDown ? failure('UNAVAILABLE', 'not now') : { checkpoint: 2n, changes: [] }),
  })
  const following = await next.follow()
  await s.loseAfter(2n)
  await following.startOver()
  assert.equal([following.stuck()?.code, await s.stored(), s.moves], ['UNAVAILABLE', 3n, []])
  isDown = false
  await until(() => {
    s.clock.pass(200)
    return following.stuck() === undefined
  })
  assert.equal([following.checkpoint(), await s.rows()], [2n, ['begun', 'a2', 'b1']])
  await following.close()
})

it('remembers what is parked where it goes on', async () => {
  const s = await begun()
  const breaks: FollowerOptions['handle'] = (event, position) => {
    if (event.organization === 'c') throw new Error('a bug of the handler')
    return rowOf(event, position)
  }
  const next = s.process({ resume: () => ({ checkpoint: 2n, changes: [] }) }, { handle: breaks })
  const following = await next.follow()
  await s.append('c')
  right(await inTime(s.clock, following.passed(4n)))
  const parked = [{ organization: 'c', sequence: 1n }]
  assert.equal(following.parked(), parked)
  await s.loseAfter(3n)
  await following.startOver()
  assert.equal([next.asked, following.parked()], [['resume'], parked])
  await following.close()
})

it.run()
