import * as t from '../../../core/codec/t.ts'
import { withHost } from '../../core/world/with-host.ts'
import { context, metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type Histogram,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTelemetry } from '../../../adapters/telemetry/index.ts'
import { operation } from '../../../core/definition/operation.ts'
import { right, stamped, world } from '../../core/world/world.ts'

import { publicApi } from '../../../core/resources/public-api.ts'
import { activityRowsResource } from '../../core/world/activity-rows.ts'
const it = suite('telemetry through OpenTelemetry')

const spans = new InMemorySpanExporter()
const numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: numbers, exportIntervalMillis: 3_600_000 })
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
const meterProvider = new MeterProvider({ readers: [reader] })

// What a host does at its start, before it makes an engine.
it.before(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(tracerProvider)
  metrics.setGlobalMeterProvider(meterProvider)
})
it.before.each(() => spans.reset())
it.after(async () => {
  await tracerProvider.shutdown()
  await meterProvider.shutdown()
})

type Points = readonly DataPoint<unknown>[]
const pointsOf = async (name: string): Promise<Points> => {
  numbers.reset()
  await reader.forceFlush()
  const all = numbers.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  return all.filter(({ descriptor }) => descriptor.name === name).flatMap(({ dataPoints }) => dataPoints as Points)
}
const finished = (name: string): readonly ReadableSpan[] =>
  spans.getFinishedSpans().filter((span) => span.name === name)
const childrenOf = (parent: ReadableSpan | undefined): readonly string[] =>
  spans
    .getFinishedSpans()
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent?.spanContext().spanId)
    .map(({ name }) => name)

const computed = t.fields({ digits: t.string })
const compute = operation({
  type: 'ACTIVITY_TYPE_COMPUTE',
  path: 'compute',
  summary: 'Computes.',
  resource: 'NUMBER',
  action: 'CREATE',
  intent: t.fields({ secret: t.string }),
  result: computed,
  change: t.fields({}),
  perform: {
    outside: false,
    resumeAfterMs: 1000,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: computed,
    run: () => ({ digits: '7' }),
  },
  execute: (_, { performed }) => ({ result: performed, change: {} }),
  evolve: () => undefined,
})

it('shows the id of a request in the span of its command', async () => {
  const scene = await world({ telemetry: openTelemetry() })
  spans.reset()
  const body = scene.body('create_user_tag', { userTagName: 'named', userIds: [] })
  right(await scene.engine.submit('create_user_tag', stamped(scene.root, body), { requestId: 'one' })())
  const query = new TextEncoder().encode(JSON.stringify({ organizationId: scene.organizationId }))
  right(await scene.engine.query('whoami', stamped(scene.root, query), { requestId: 'two' })())
  assert.is(finished('countersign.submit')[0]?.attributes['requestId'], 'one')
  assert.is(finished('countersign.query')[0]?.attributes['requestId'], 'two')
})

it('shows a submit with its verification, decision and append, under the span of the host', async () => {
  const scene = await world({ telemetry: openTelemetry() })
  spans.reset()
  await trace.getTracer('a host').startActiveSpan('a request of the host', async (span) => {
    await scene.done(scene.root, 'create_user_tag', { userTagName: 'treasury', userIds: [] })
    span.end()
  })
  const [submitted] = finished('countersign.submit')
  assert.equal(childrenOf(finished('a request of the host')[0]), ['countersign.submit'])
  assert.equal(submitted?.attributes, { path: 'create_user_tag', outcome: 'ok' })
  assert.is(submitted?.status.code, SpanStatusCode.UNSET)
  assert.equal(
    [...new Set(childrenOf(submitted))], // it is decided on twice where the activity had to be looked up
    ['countersign.verify', 'countersign.decide', 'countersign.append'],
  )
  await scene.close()
})

it('shows the work of an operation that performs', async () => {
  const scene = await world({ telemetry: openTelemetry(), resources: withHost([compute]) })
  spans.reset()
  await scene.done(scene.root, 'compute', { secret: 'canary' })
  const [submitted] = finished('countersign.submit')
  const children = childrenOf(submitted)
  for (const name of ['verify', 'decide', 'perform', 'append'])
    assert.ok(children.includes(`countersign.${name}`), name)
  assert.equal(finished('countersign.perform')[0]?.attributes, {
    type: 'ACTIVITY_TYPE_COMPUTE',
    attempt: 1,
    outcome: 'ok',
  })
  await scene.close()
})

it('says nothing of bodies, stamps and keys', async () => {
  const scene = await world({ telemetry: openTelemetry(), resources: withHost([compute]) })
  const body = scene.body('compute', { secret: 'canary' })
  const { headers } = stamped(scene.root, body)
  await scene.engine.submit('compute', { headers, body, address: '192.0.2.7' })()
  await reader.forceFlush()
  const said = JSON.stringify([
    spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    numbers.getMetrics().map(({ scopeMetrics }) => scopeMetrics),
  ])
  const { privateKey, publicKey } = scene.root.key
  for (const secret of ['canary', privateKey, publicKey, String(headers['x-stamp']), scene.organizationId, '192.0.2.7'])
    assert.not.match(said, secret)
  await scene.close()
})

it('calls an error what the engine is to blame for, and not what a caller did', async () => {
  const telemetry = openTelemetry()
  const work = (outcome: string) => telemetry.span('countersign.query', {}, () => Promise.resolve(outcome), String)
  for (const outcome of ['ok', 'SIGNATURE_INVALID', 'RESOURCE_NOT_FOUND', 'UNAVAILABLE', 'INTERNAL'])
    await work(outcome)
  const bug = new Error('a bug')
  const thrown = [
    await telemetry.span('countersign.query', {}, () => Promise.reject(bug), String).catch((e: unknown) => e),
    caught(() => telemetry.spanSync('countersign.decide', {}, () => throwing(bug), String)),
  ]
  assert.equal(thrown, [bug, bug])
  assert.is(
    telemetry.spanSync('countersign.decide', {}, () => 7, String),
    7,
  )
  assert.equal(
    spans.getFinishedSpans().map(({ attributes, status }) => [attributes['outcome'], status.code]),
    [
      ['ok', SpanStatusCode.UNSET],
      ['SIGNATURE_INVALID', SpanStatusCode.UNSET],
      ['RESOURCE_NOT_FOUND', SpanStatusCode.UNSET],
      ['UNAVAILABLE', SpanStatusCode.ERROR],
      ['INTERNAL', SpanStatusCode.ERROR],
      ['thrown', SpanStatusCode.ERROR],
      ['thrown', SpanStatusCode.ERROR],
      ['7', SpanStatusCode.UNSET],
    ],
  )
})

it('counts requests and decisions, and measures groups, waits and lag', async () => {
  const scene = await world({
    telemetry: openTelemetry({ scope: 'counted' }),
    resources: [...publicApi, activityRowsResource],
  })
  await scene.done(scene.root, 'create_user_tag', { userTagName: 'treasury', userIds: [] })
  await scene.answer(scene.root, 'list_activities')
  const counted = (points: Points, attributes: object) =>
    points.find((point) => Object.entries(attributes).every(([name, value]) => point.attributes[name] === value))?.value
  const path = 'list_activities'
  assert.ok(Number(counted(await pointsOf('countersign.requests'), { kind: 'query', path, outcome: 'ok' })) >= 1)
  assert.ok((await pointsOf('countersign.decisions')).length > 0)
  assert.is(counted(await pointsOf('countersign.projection.lag'), { projection: 'activity-rows' }), 0)
  const duration = (await pointsOf('countersign.request.duration'))[0]?.value as Histogram // of what it was made as
  assert.is(duration.buckets.boundaries[0], 0.001)
  const group = (await pointsOf('countersign.append.group'))[0]?.value as Histogram
  assert.ok(group.count >= 1)
  await scene.close()
})

it('stops to observe when it is told to', async () => {
  let reads = 0
  const stop = openTelemetry().observe('countersign.projection.lag', { projection: 'mine' }, () => (reads += 1))
  await pointsOf('countersign.projection.lag')
  assert.is(reads, 1)
  stop()
  await pointsOf('countersign.projection.lag')
  assert.is(reads, 1)
})

it('takes providers of its own, and goes nowhere without any', async () => {
  const own = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(own)] })
  await openTelemetry({ tracerProvider: provider }).span('countersign.query', {}, () => Promise.resolve('ok'), String)
  assert.is(own.getFinishedSpans().length, 1)
  assert.is(spans.getFinishedSpans().length, 0)
  trace.disable()
  metrics.disable()
  const silent = openTelemetry()
  assert.is(await silent.span('countersign.query', {}, () => Promise.resolve('ok'), String), 'ok')
  silent.count('countersign.requests', 1, {})
  silent.observe('countersign.projection.lag', {}, () => 1)()
})

const throwing = (error: Error): never => {
  throw error
}

const caught = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it.run()
