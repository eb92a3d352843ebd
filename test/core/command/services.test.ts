import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { createEngine } from '../../../core/create-engine.ts'
import { operation } from '../../../core/definition/operation.ts'
import { port } from '../../../core/definition/port.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { resource, type PortsFor, type ServicesOf } from '../../../core/definition/resource.ts'
import { Failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { testPorts } from '../world/ports.ts'
import { right, testClock, world } from '../world/world.ts'
import { keptOpen } from '../world/test-store.ts'
import { audited, exported } from '../audit/logs.ts'
import { quiet, until } from '../world/under-way.ts'
import { secondProcess } from './second-process.ts'

const it = suite('ports of work')

type Payments = { readonly pay: (cents: number) => Promise<string> }
type Mailer = { readonly send: (to: string) => Promise<void> }

const seen: object[] = []
const pay = operation({
  type: 'ACTIVITY_TYPE_PAY',
  path: 'pay',
  summary: 'Pays.',
  intent: t.fields({ cents: t.number }),
  result: t.fields({ receipt: t.string }),
  change: t.fields({}),
  perform: {
    outside: false,
    needs: { payments: port<Payments>() },
    resumeAfterMs: 0,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: t.fields({ receipt: t.string }),
    run: async ({ cents }, { ports }) => {
      seen.push(ports)
      return { receipt: await ports.payments.pay(cents) }
    },
  },
  execute: (_, { performed }) => ({ result: performed, change: {} }),
  evolve: () => undefined,
})
const mail = operation({
  type: 'ACTIVITY_TYPE_MAIL',
  path: 'mail',
  summary: 'Mails.',
  intent: t.fields({ to: t.string }),
  result: t.fields({}),
  change: t.fields({}),
  perform: {
    outside: true,
    needs: { mailer: port<Mailer>() },
    whenMissing: 'unsupported',
    resumeAfterMs: 0,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: t.fields({}),
    run: async ({ to }, { ports }) => {
      await ports.mailer.send(to).catch(() => {
        throw refuse('UNAVAILABLE', 'no')
      })
      return {}
    },
  },
  execute: () => ({ result: {}, change: {} }),
  evolve: () => undefined,
})
const money = resource({ name: 'money', operations: [pay] })
const letters = resource({ name: 'letters', operations: [mail] })

const parts = () => ({ ...testPorts(), store: memoryStore(), clock: testClock() })
const payments: Payments = { pay: async (cents) => `receipt of ${cents}` }

// What the compiler holds: a port that an operation cannot do without cannot be left out, and has its type.
type Both = readonly [...typeof publicApi, typeof money, typeof letters]
type CanBeLeftOut<A> = Record<never, never> extends A ? true : false
const compiled: readonly [
  CanBeLeftOut<PortsFor<Both>>,
  CanBeLeftOut<PortsFor<typeof publicApi>>,
  CanBeLeftOut<PortsFor<readonly [typeof letters]>>,
  { readonly payments: Payments } extends Pick<ServicesOf<Both>, 'payments'> ? true : false,
  Pick<ServicesOf<Both>, 'payments'> extends { readonly payments: Payments } ? true : false,
  Pick<ServicesOf<Both>, 'mailer'> extends { readonly mailer?: Mailer } ? true : false,
] = [false, true, true, true, true, true]

it('are typed by the operations that need them', () => {
  assert.is(compiled.length, 6)
  const typed: { readonly path: 'pay'; readonly types?: { readonly result: { readonly receipt: string } } } = pay
  assert.is(typed.path, 'pay')
})

it('are given to the work that needs them, and no others', async () => {
  const w = await world({ resources: [...publicApi, money], ports: { payments, another: 1 } })
  const { result } = right(await w.submit(w.root, 'pay', { cents: 7 }))
  assert.equal(result, { payResult: { receipt: 'receipt of 7' } })
  assert.equal(seen, [{ payments }])
  const { findings } = await audited(await exported(w.storage.store), {}, [pay]) // an auditor has none
  assert.equal(findings, [])
  await w.close()
})

it('are one clear error at the start where they are missing', async () => {
  const another = operation({ ...payAgain(), path: 'pay_again', type: 'ACTIVITY_TYPE_PAY_AGAIN' })
  const resources = [...publicApi, money, resource({ name: 'more', operations: [another] })]
  const refused: unknown = await createEngine({ ...parts(), resources, ports: {} }).catch((error: unknown) => error)
  assert.ok(Failure.is(refused))
  assert.is(refused.code, 'CONFIGURATION_INVALID')
  assert.is(refused.message, 'ports: expected payments (needed by pay, pay_again)')
})

it('may be missing for operations that say so: their requests are refused, and all others are answered', async () => {
  const w = await world({ resources: [...publicApi, letters], ports: { mailer: undefined } })
  const refused = await w.submit(w.root, 'mail', { to: 'ada' })
  assert.ok(E.isLeft(refused))
  assert.is(refused.left.code, 'UNSUPPORTED')
  assert.match(refused.left.message, 'ports.mailer')
  await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  await w.close()
})

it('leave effects as they are that another process has started, until an engine is given them', async () => {
  const storage = keptOpen(memoryStore())
  const resources = [...publicApi, letters]
  const silent: Mailer = { send: () => new Promise(() => undefined) }
  const ports = { mailer: silent }
  const w = await world({ store: storage, resources, ports, waitForEffectsMs: 0, closeWithinMs: 0 })
  const sending = w.submit(w.root, 'mail', { to: 'ada' })
  await until(async () => (await exported(storage.store)).includes('ActivityStarted'))
  w.clock.pass(1)
  assert.is(right(await sending).status, 'ACTIVITY_STATUS_PENDING')
  const closing = w.close()
  w.clock.pass(1)
  await closing
  const without = await secondProcess(w, { resources })
  await quiet()
  assert.is((await exported(storage.store)).includes('ActivityFailed'), false)
  await without.close()
  const withMailer = await secondProcess(w, { resources, ports })
  await until(async () => (await exported(storage.store)).includes('INTERRUPTED')) // it must not be repeated
  await withMailer.close()
})

const payAgain = () => ({
  type: 'ACTIVITY_TYPE_PAY',
  path: 'pay',
  summary: 'Pays.',
  intent: t.fields({}),
  result: t.fields({}),
  change: t.fields({}),
  perform: {
    outside: false,
    needs: { payments: port<Payments>() },
    resumeAfterMs: 0,
    attemptsMax: 1,
    whenInterrupted: 'fail' as const,
    performed: t.fields({}),
    run: () => ({}),
  },
  execute: () => ({ result: {}, change: {} }),
  evolve: () => undefined,
})

it.run()
