import * as t from '../../../core/codec/t.ts'
import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { LogHead } from '../../../core/audit/report.ts'
import { operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { inTime, until } from '../world/under-way.ts'
import { right, world, type World } from '../world/world.ts'
import { audited, codesIn, eventful, exported, neighbour, trio } from './logs.ts'

const it = suite('audit')

it('finds nothing in an honest log, and says what it did', async () => {
  const made = await trio()
  await eventful(made)
  const other = await neighbour(made)
  const { counts, findings, organizations } = await audited(await exported(made.storage.store))
  assert.equal(findings, [])
  assert.equal(
    organizations.map(({ organization }) => organization),
    [made.organizationId, other],
  )
  const { events, activities, stamps, decisions, clockBehind, executions } = counts
  assert.equal(
    { events, activities, stamps, decisions, clockBehind, executions },
    { events: 39, activities: 17, stamps: 26, decisions: 26, clockBehind: 2, executions: 13 },
  )
  await made.close()
})

it('tells genesis and head of each organization, to be kept elsewhere', async () => {
  const { storage, organizationId, close } = await world()
  const text = await exported(storage.store)
  const [organization] = (await audited(text)).organizations
  const head = right(await storage.store.head(organizationId)())
  assert.is(organization?.sequence, head?.sequence)
  assert.is(organization?.genesis, organization?.hash) // nothing has happened since
  await close()
})

it('gives the genesis hash that the engine gave', async () => {
  const { storage, close } = await world()
  const [{ organization, genesis = '' } = nobody] = (await audited(await exported(storage.store))).organizations
  const pinned = await audited(await exported(storage.store), { pins: new Map([[organization, genesis]]) })
  assert.equal(pinned.findings, [])
  assert.ok(pinned.organizations[0]?.isPinned)
  await close()
})

it('says of which organizations a line was compared with a head', async () => {
  const { storage, close } = await world()
  const text = await exported(storage.store)
  const [head = nobody] = (await audited(text)).organizations
  const isCompared = async (...heads: readonly LogHead[]): Promise<boolean | undefined> =>
    (await audited(text, { heads })).organizations[0]?.isHeadCompared
  assert.is(await isCompared(), false)
  assert.is(await isCompared(head), true)
  assert.is(await isCompared({ ...head, hash: '0'.repeat(64) }), true, 'compared, and different')
  assert.is(await isCompared({ ...head, sequence: head.sequence + 1n }), false, 'the log does not come there')
  assert.is(await isCompared({ ...head, sequence: 0n }), false, 'no event is there')
  assert.is(await isCompared({ ...head, organization: 'another' }), false)
  await close()
})

it('finds that an organization is not the pinned one, or is not there', async () => {
  const { storage, organizationId, close } = await world()
  const text = await exported(storage.store)
  const pin = (organization: string) => audited(text, { pins: new Map([[organization, '0'.repeat(64)]]) })
  assert.equal(codesIn(await pin(organizationId)), ['GENESIS_DIFFERS'])
  assert.equal(codesIn(await pin('another')), ['GENESIS_DIFFERS'])
  await close()
})

it('finds that a log does not lead through a known head', async () => {
  const { storage, enrol, organizationId, close } = await world()
  const [head] = (await audited(await exported(storage.store))).organizations
  await enrol('ada')
  const text = await exported(storage.store)
  const known = (...hashes: readonly string[]) =>
    audited(text, { heads: hashes.map((hash) => ({ organization: organizationId, sequence: 2n, hash })) })
  const [real, other] = [head?.hash ?? '', '0'.repeat(64)]
  assert.equal((await known(real)).findings, [])
  assert.equal(codesIn(await known(other)), ['HEAD_DIFFERS'])
  assert.equal(codesIn(await known(other, real)), ['HEAD_DIFFERS'])
  await close()
})

it('counts requests that are missing, and finds each of them, because no erasure names it', async () => {
  const made = await trio()
  await eventful(made)
  for (const sequence of [3n, 9n, 10n, 13n])
    right(await made.storage.store.eraseParts(made.organizationId, [{ sequence, name: 'request' }])())
  const { counts, findings } = await audited(await exported(made.storage.store))
  assert.equal(
    findings.map(({ code, sequence }) => [code, sequence]),
    [3n, 9n, 10n, 13n].map((sequence) => ['PART_ERASED', sequence]),
  )
  assert.is(counts.erased, 4)
  assert.is(counts.stamps, 21)
  assert.is(counts.stampsErased, 4)
  await made.close()
})

it('finds parts that were erased beyond the number that may have been', async () => {
  const { storage, organizationId, enrol, close } = await world()
  await enrol('ada')
  for (const sequence of [1n, 3n])
    right(await storage.store.eraseParts(organizationId, [{ sequence, name: 'request' }])())
  const text = await exported(storage.store)
  // Each of them is a finding already, because no erasure names it.
  const found = async (erasedMax: number) =>
    (await audited(text, { erasedMax })).findings.filter(({ message }) => message.includes('at most'))
  assert.equal(await found(2), [])
  assert.equal(
    (await found(1)).map(({ code, sequence }) => [code, sequence]),
    [['PART_ERASED', 3n]],
  )
  assert.is((await found(0)).length, 2)
  await close()
})

it('judges by the limits that it is told, and finds others with both', async () => {
  const { done, root, storage, close } = await world({ limits: { userTags: 200 } })
  for (let n = 0; n < 102; n += 1) await done(root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  const text = await exported(storage.store)
  assert.equal((await audited(text, { limits: [{ limits: { userTags: 200 } }] })).findings, [])
  const [first] = (await audited(text)).findings
  assert.is(first?.code, 'BASIS_DIFFERS')
  assert.match(first?.message ?? '', 'userTags 200 instead of 100')
  await close()
})

it('knows from when and until when limits were in force', async () => {
  const { clock, done, root, storage, close } = await world({ limits: { userTags: 200 } })
  const [begunAtMs] = [clock.now(), clock.pass(1000)]
  await done(root, 'create_user_tag', { userTagName: 'later', userIds: [] })
  const text = await exported(storage.store)
  const limits = { userTags: 200 }
  const found = async (from: number, until: number) =>
    (await audited(text, { limits: [{ limits, fromMs: begunAtMs + from, untilMs: begunAtMs + until }] })).findings
  assert.equal(await found(0, 1000), [])
  assert.equal(
    (await found(1, 1000)).map(({ sequence }) => sequence),
    [1n],
  )
  assert.equal(
    (await found(0, 999)).map(({ sequence }) => sequence),
    [3n],
  )
  await close()
})

it('audits a log of the built-in operations without those of a host that it never used', async () => {
  const { storage, close } = await world({ resources: withHost([roll, pay('down')]) })
  assert.equal((await audited(await exported(storage.store))).findings, [])
  await close()
})

it('repeats executions that rest on what a service said', async () => {
  const { done, root, storage, close } = await world({ resources: withHost([roll, pay('paid')]) })
  await done(root, 'roll', {})
  await done(root, 'pay', {})
  const text = await exported(storage.store)
  const { counts, findings } = await audited(text, {}, [roll, pay('paid')])
  assert.equal(findings, [])
  assert.is(counts.executions, 3)
  assert.equal(codesIn(await audited(text, {}, [roll])), ['OPERATION_UNKNOWN'])
  await close()
})

it('follows effects that were tried again, and takes their failure on trust', async () => {
  const made = await world({ resources: withHost([pay('down')]) })
  await made.done(made.root, 'pay', {})
  await resumed(made)
  const text = await exported(made.storage.store)
  assert.match(text, /"attempt":2/)
  assert.match(text, /"type":"ActivityFailed"/)
  assert.equal((await audited(text, {}, [pay('down')])).findings, [])
  await made.close()
})

it('judges nothing by a state that it cannot know, and goes on with stamps and hashes', async () => {
  const made = await world({ resources: withHost([roll]) })
  await made.done(made.root, 'roll', {})
  const ada = await made.enrol('ada')
  await made.submit(ada, 'create_user_tag', { userTagName: 'denied', userIds: [] })
  const text = await exported(made.storage.store)
  const { findings, counts } = await audited(text)
  assert.equal(
    findings.map(({ code, sequence }) => [code, sequence]),
    [
      ['OPERATION_UNKNOWN', 3n],
      ['OPERATION_UNKNOWN', 4n],
    ],
  )
  assert.is(counts.activities, 4)
  await made.close()
})

it('goes on when an operation throws', async () => {
  const { done, root, storage, close } = await world({ resources: withHost([roll]) })
  await done(root, 'roll', {})
  const throwing = operation({
    ...rollSpec,
    execute: () => {
      throw new Error('a bug of the host')
    },
  })
  assert.equal(codesIn(await audited(await exported(storage.store), {}, [throwing])), ['AUDIT_IMPOSSIBLE'])
  await close()
})

it('finds an operation that no longer does what it did', async () => {
  const { done, root, storage, close } = await world({ resources: withHost([roll]) })
  await done(root, 'roll', {})
  const changed = operation({ ...rollSpec, execute: () => ({ result: { eyes: 1 }, change: { eyes: 1 } }) })
  assert.equal(codesIn(await audited(await exported(storage.store), {}, [changed])), ['EXECUTION_DIFFERS'])
  await close()
})

it('keeps as many findings as it is told to, and counts the others', async () => {
  const { findings, omitted } = await audited('a\nb\nc\nd\n', { findingsMax: 2 })
  assert.is(findings.length, 2)
  assert.is(omitted, 3)
})

it('is the same with one verification at a time', async () => {
  const made = await trio()
  await eventful(made)
  const text = await exported(made.storage.store)
  assert.equal(await audited(text, { inFlightMax: 1 }), await audited(text))
  await made.close()
})

const nobody = { organization: '', genesis: undefined, sequence: 0n, hash: '' }

const Eyes = t.fields({ eyes: t.number })
const rollSpec = {
  type: 'ACTIVITY_TYPE_ROLL',
  path: 'roll',
  summary: 'Throws a die.',
  intent: t.fields({}),
  result: Eyes,
  change: Eyes,
  perform: {
    outside: false,
    resumeAfterMs: 0,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: Eyes,
    run: () => ({ eyes: 4 }),
  },
  execute: (_: unknown, { performed }: { readonly performed: { readonly eyes: number } }) => ({
    result: performed,
    change: performed,
  }),
  evolve: () => undefined,
} as const
/** Work without effects outside. */
const roll = operation(rollSpec)

/** Effects outside. */
const pay = (service: 'paid' | 'down') =>
  operation({
    type: 'ACTIVITY_TYPE_PAY',
    path: 'pay',
    summary: 'Pays.',
    intent: t.fields({}),
    result: t.fields({ receipt: t.string }),
    change: t.fields({}),
    perform: {
      outside: true,
      resumeAfterMs: 1000,
      attemptsMax: 2,
      whenInterrupted: 'retry',
      performed: t.fields({ receipt: t.string }),
      run: () => {
        if (service === 'down') throw refuse('UNAVAILABLE', 'the service is down')
        return { receipt: 'r-1' }
      },
    },
    execute: (_, { performed: { receipt } }) => ({ result: { receipt }, change: {} }),
    evolve: () => undefined,
  })

const resumed = async ({ clock, storage, organizationId }: World): Promise<void> => {
  const line = async () => right(await storage.store.head(organizationId)())?.line ?? ''
  await inTime(
    clock,
    until(async () => Buffer.from(await line()).includes('ActivityFailed')),
    1_000,
  )
}

it.run()
