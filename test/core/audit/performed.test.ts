import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { audit } from '../../../core/audit/audit.ts'
import type { AuditOptions } from '../../../core/audit/report.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { operation, type Operation } from '../../../core/definition/operation.ts'
import { port, type Services } from '../../../core/definition/port.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { withHost } from '../world/with-host.ts'
import { right, testClock, world } from '../world/world.ts'
import { inTime } from '../world/under-way.ts'
import { draftsOf, forged, must, rebased } from './forgery.ts'
import { audited, codesIn, digest, exported } from './logs.ts'

/* What an audit asks the code of a host: what work brought, and what a request says. */
const it = suite('what hosts let an audit check')

type Inspected = { readonly all: number }
type Asked = {
  readonly outside?: boolean
  readonly verify?: (sum: number, numbers: readonly number[], tags: number) => Promise<boolean>
  readonly inspect?: (numbers: readonly number[]) => Inspected | Promise<Inspected>
}

/** Adds numbers, and the number of tags. */
const add = ({
  outside = false,
  verify = async (sum, numbers, tags) => sum === numbers.reduce((all, one) => all + one, tags),
  inspect = (numbers) => ({ all: numbers.length }),
}: Asked = {}): Operation =>
  operation({
    type: 'ACTIVITY_TYPE_ADD',
    path: 'add',
    summary: 'Adds.',
    intent: t.fields({ numbers: t.array(t.number) }),
    result: t.fields({ sum: t.number }),
    change: t.fields({}),
    inspect: ({ numbers }) => inspect(numbers),
    check: ({ numbers }, { organization }) => ({ numbers, tags: userTags.of(organization).size }),
    perform: {
      outside,
      resumeAfterMs: 0,
      attemptsMax: 1,
      whenInterrupted: 'fail',
      performed: t.fields({ sum: t.number }),
      run: ({ numbers, tags }) => ({ sum: numbers.reduce((all, one) => all + one, tags) }),
    },
    verify: ({ sum }, { numbers }, { tags }) => verify(sum, numbers, tags),
    execute: (_, { performed }) => ({ result: performed, change: {} }),
    evolve: () => undefined,
  })

const logBy = async (operations: Operation): Promise<string> => {
  const w = await world({ resources: withHost([operations]) })
  await w.done(w.root, 'create_user_tag', { userTagName: 'one', userIds: [] })
  await w.done(w.root, 'add', { numbers: [1, 2, 3] })
  await w.done(w.root, 'create_user_tag', { userTagName: 'two', userIds: [] })
  const text = await exported(w.storage.store)
  await w.close()
  return text
}

/** The log in which the work brought something else, and all followed from that. */
const lied = (text: string): string => {
  const drafts = draftsOf(text)
  const { data } = must(drafts.find(({ event }) => event.data.performed !== undefined)).event
  Object.assign(data, { result: { sum: 99 }, performed: { sum: 99 } })
  return forged(rebased(drafts))
}

for (const outside of [false, true]) {
  const where = outside ? 'outside' : 'inside'
  it(`finds work ${where} that brought what it should not have brought, by what it was given then`, async () => {
    const text = await logBy(add({ outside }))
    assert.equal((await audited(text, {}, [add({ outside })])).findings, [])
    assert.equal(codesIn(await audited(lied(text), {}, [add({ outside })])), ['PERFORMED_DIFFERS'])
    const unverified = add({ outside, verify: async () => true })
    assert.equal(codesIn(await audited(lied(text), {}, [unverified])), [])
  })
}

it('blames nobody where the check of a host throws', async () => {
  const text = await logBy(add())
  for (const verify of [
    async () => Promise.reject(new Error('no')),
    () => {
      throw new Error('no')
    },
    async () => 'yes' as never,
  ])
    assert.equal(codesIn(await audited(text, {}, [add({ verify })])), ['AUDIT_IMPOSSIBLE'])
})

it('waits for no check that never ends, where it has a clock', async () => {
  const text = await logBy(add())
  const never = async (): Promise<never> => new Promise(() => undefined)
  for (const stuck of [add({ verify: never }), add({ inspect: never })]) {
    const clock = testClock()
    const auditing = audit(
      { signatures: nodeSignatures(), ids: nodeIds(), clock, catalogue: right(catalogue(withHost([stuck]))) },
      readTranscript(digest, [encodeUtf8(text)]),
    )
    assert.equal(codesIn(await inTime(clock, auditing, 1_000)), ['AUDIT_IMPOSSIBLE'])
  }
})

it('believes what it lacks a service to inspect, and counts it', async () => {
  const needs = { limits: port<{ readonly most: number }>() }
  const counting = operation({
    type: 'ACTIVITY_TYPE_COUNT',
    path: 'count',
    summary: 'Counts.',
    intent: t.fields({ numbers: t.array(t.number) }),
    result: t.fields({ all: t.number }),
    change: t.fields({}),
    inspectNeeds: needs,
    inspect: ({ numbers }, { ports }) => {
      if (numbers.length > ports.limits.most) throw refuse('REQUEST_INVALID', 'too many')
      return { all: numbers.length }
    },
    execute: (_, { inspected }) => ({ result: inspected, change: {} }),
    evolve: () => undefined,
  })
  const resources = withHost([counting])
  const w = await world({ resources, ports: { limits: { most: 3 } } })
  await w.done(w.root, 'count', { numbers: [1, 2, 3] })
  const text = await exported(w.storage.store)
  const auditedWith = async (ports: Services, options: AuditOptions = {}) =>
    audit(
      { signatures: nodeSignatures(), ids: nodeIds(), ports, catalogue: right(catalogue(resources)) },
      readTranscript(digest, [encodeUtf8(text)]),
      options,
    )

  const without = await auditedWith({})
  assert.equal([codesIn(without), without.counts.believed], [[], 2])
  assert.equal(codesIn(await auditedWith({}, { believedMax: 0 })), ['AUDIT_IMPOSSIBLE'])
  assert.is((await auditedWith({ limits: { most: 3 } })).counts.believed, 0)
  assert.equal(codesIn(await auditedWith({ limits: { most: 2 } })), ['REQUEST_DIFFERS'])
})

it('finds a request that its operation does not let through', async () => {
  const text = await logBy(add())
  const stricter = add({
    inspect: () => {
      throw refuse('REQUEST_INVALID', 'too many')
    },
  })
  const { findings } = await audited(text, {}, [stricter])
  assert.ok(findings.every(({ code, message }) => code === 'REQUEST_DIFFERS' && message.includes('REQUEST_INVALID')))
  assert.is(findings.length, 2) // both events of the activity
})

it('says where an inspection throws, and goes on', async () => {
  const text = await logBy(add())
  const throwing = add({
    inspect: () => {
      throw new Error('no')
    },
  })
  const { findings, counts } = await audited(text, {}, [throwing])
  assert.equal([...new Set(findings.map(({ code }) => code))], ['AUDIT_IMPOSSIBLE'])
  assert.is(counts.executions, 3) // all others
})

it.run()
