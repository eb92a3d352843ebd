import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import { causeOf, withCause } from '../../../core/telemetry/cause.ts'
import { watchedStorage } from '../../../core/telemetry/watched-storage.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { faultyStore, type Fault } from '../command/faulty-store.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { codeOf, right, testClock, world } from '../world/world.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('a watched storage')

const CHECK_AFTER_MS = 5_000
const full = () =>
  withCause(failure('UNAVAILABLE', 'the disk of the store is full'), () => ({
    reason: 'SQLITE_FULL',
    file: '/data/a.db',
  }))
const isFull = async () => E.left(full())

const scene = async (checkWritable?: EventStore['checkWritable']) => {
  const faulty = faultyStore()
  const { store } = faulty
  const storage = { ...faulty, store: { ...store, checkWritable: checkWritable ?? store.checkWritable } }
  const notices: Notice[] = []
  const w = await world({ store: storage, onNotice: (notice) => void notices.push(notice) })
  const submit = (userTagName: string) =>
    inTime(w.clock, w.submit(w.root, 'create_user_tag', { userTagName, userIds: [] }), 50)
  const isReady = async (): Promise<boolean> => E.isRight(await w.engine.isReady()())
  return { ...w, faulty, notices, submit, isReady }
}

it('tells the cause of a refused write once, and the caller only the failure', async () => {
  const w = await scene(() => async () => E.left(full()))
  w.faulty.plan(...Array.from({ length: 70 }, () => isFull))
  for (let n = 0; n < 10; n += 1) {
    const answer = await w.submit(`refused ${n}`)
    assert.equal(answer, E.left(failure('UNAVAILABLE', 'the disk of the store is full')))
    assert.not.match(JSON.stringify(answer), '/data')
  }
  const [first, ...more] = w.notices
  assert.equal(first, {
    level: 'error',
    message: 'the store takes no writes: the disk of the store is full',
    context: { code: 'UNAVAILABLE', reason: 'SQLITE_FULL', file: '/data/a.db' },
  })
  assert.equal(more, [])
  await w.close()
})

it('is not ready after a refused write until the store takes writes, also if nobody submits any more', async () => {
  let answer: E.Either<ReturnType<typeof full>, void> = E.left(full())
  let checks = 0
  const w = await scene(() => async () => {
    checks += 1
    return answer
  })
  assert.is(await w.isReady(), true)
  w.faulty.plan(...Array.from({ length: 7 }, () => isFull))
  assert.is(codeOf(await w.submit('refused')), 'UNAVAILABLE')
  assert.equal(await w.engine.isReady()(), E.left(failure('UNAVAILABLE', 'the disk of the store is full')))
  for (let n = 0; n < 10; n += 1) await w.isReady()
  const before = checks
  w.clock.pass(CHECK_AFTER_MS)
  await until(() => checks > before)
  assert.is(await w.isReady(), false)
  answer = E.right(undefined)
  await quiet()
  w.clock.pass(CHECK_AFTER_MS)
  await until(w.isReady)
  assert.is(w.notices.at(-1)?.message, 'over: the store takes no writes: the disk of the store is full')
  const after = checks
  w.clock.pass(100 * CHECK_AFTER_MS)
  await quiet()
  assert.is(checks, after, 'a store that takes writes is not checked')
  await w.close()
})

it('is ready again as soon as a commit goes well', async () => {
  const w = await scene(() => async () => E.left(full()))
  w.faulty.plan(...Array.from({ length: 7 }, () => isFull))
  assert.is(codeOf(await w.submit('refused')), 'UNAVAILABLE')
  assert.is(await w.isReady(), false)
  right(await w.submit('taken'))
  assert.is(await w.isReady(), true)
  await w.close()
})

it('stays ready when a commit is refused for another reason than the store itself', async () => {
  const w = await scene()
  const conflicts: Fault = async (commits) =>
    E.right(commits.map(() => ({ _tag: 'conflict', sequence: 0n, position: 0n })))
  w.faulty.plan(conflicts)
  right(await w.submit('decided again'))
  assert.equal([await w.isReady(), w.notices], [true, []])
  await w.close()
})

it('tells a store that throws, with the place and without the message', async () => {
  const w = await scene()
  const throwing: Fault = () => {
    throw new RangeError('secret')
  }
  w.faulty.plan(...Array.from({ length: 7 }, () => throwing))
  assert.is(codeOf(await w.submit('refused')), 'UNAVAILABLE')
  assert.equal(w.notices[0]?.context?.['thrown'], 'RangeError')
  assert.not.match(JSON.stringify(w.notices), 'secret')
  await w.close()
})

it('hands on the sealed rows, and tells the cause of what fails with them', async () => {
  const storage = memoryStore()
  const sealed = sealedOf(storage)
  let deletes = sealed.delete
  const notices: Notice[] = []
  const w = await world({
    store: { ...storage, sealed: { ...sealed, delete: (place) => deletes(place) } },
    onNotice: (notice) => void notices.push(notice),
  })
  const made = async (walletName: string) => {
    const { result } = await w.done(w.root, 'create_wallet', { walletName, accounts: [] })
    const { walletId: id } = result['createWalletResult'] as { readonly walletId: string } // of our own engine
    const isThere = async (): Promise<boolean> =>
      right(await sealed.get({ organization: w.organizationId, id })()) !== undefined
    const remove = () => w.done(w.root, 'delete_wallets', { walletIds: [id], deleteWithoutExport: true })
    return { isThere, remove }
  }
  const [one, other] = [await made('one'), await made('other')]
  assert.ok(await one.isThere())
  await one.remove()
  assert.not.ok(await one.isThere())
  deletes = () => isFull
  const removing = other.remove()
  await until(() => notices.length > 0)
  deletes = sealed.delete
  await inTime(w.clock, removing)
  await until(async () => {
    w.clock.pass(1_000)
    return !(await other.isThere())
  })
  const [first] = notices
  assert.is(first?.message, 'the store takes no writes: the disk of the store is full')
  assert.is(first?.context?.['file'], '/data/a.db')
  await w.close()
})

it('tells a cause of a read, and calls the methods of a store that is an instance of a class', async () => {
  const { store, readModels } = faultyStore()
  let answer: E.Either<ReturnType<typeof full>, bigint> | undefined
  class Store {
    readonly capabilities = store.capabilities
    lastPosition() {
      return async () => answer ?? store.lastPosition()()
    }
  }
  const made = Object.setPrototypeOf(
    { capabilities: store.capabilities },
    Object.assign(Store.prototype, { ...store, lastPosition: Store.prototype.lastPosition }),
  ) as EventStore
  const notices: Notice[] = []
  const w = await world({ store: { store: made, readModels }, onNotice: (notice) => void notices.push(notice) })
  answer = E.left(full())
  assert.is(codeOf(await w.engine.isReady()()), 'UNAVAILABLE')
  assert.equal(
    notices.map(({ message, context }) => [message, context?.['file']]),
    [['the store cannot be read: the disk of the store is full', '/data/a.db']],
  )
  answer = undefined
  await w.close()
})

it('keeps causes beside failures: in no copy, and in no text', () => {
  const constant = failure('UNAVAILABLE', 'no')
  const caused = withCause(constant, () => ({ file: '/secret' }))
  assert.equal(
    [causeOf(caused), causeOf(constant), causeOf({ ...caused })],
    [{ file: '/secret' }, undefined, undefined],
  )
  assert.equal(caused, constant)
  assert.not.match(JSON.stringify(caused), 'secret')
})

it('has all that the storage has', () => {
  const storage = memoryStore()
  const watched = watchedStorage({ clock: testClock(), tell: () => undefined }, storage)
  assert.equal(Object.keys(storage).filter((member) => !Object.hasOwn(watched, member)), []) // prettier-ignore
})

it.run()
