import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serving } from '../http/transport.ts'
import { prometheus, PROMETHEUS_CONTENT_TYPE } from '../../../adapters/telemetry/index.ts'
import { world } from '../../core/world/world.ts'
import { parseExposition, type Family, type Sample } from './exposition.ts'

import { publicApi } from '../../../core/resources/public-api.ts'
import { activityRowsResource } from '../../core/world/activity-rows.ts'
const it = suite('numbers for Prometheus')

const REQUESTS = 'countersign_requests_total'
const GROUP = 'countersign_append_group'
const LAG = 'countersign_projection_lag'

const familyOf = (text: string, name: string): Family => {
  const family = parseExposition(text).get(name)
  if (family === undefined) throw new Error(`there is no ${name}`)
  return family
}
const samplesOf = (text: string, name: string): readonly Sample[] => familyOf(text, name).samples

it('says nothing before anything has happened', () => assert.is(prometheus().text(), ''))

it('counts, and never back', () => {
  const { telemetry, text } = prometheus()
  telemetry.count('countersign.requests', 1, { kind: 'submit', outcome: 'ok' })
  telemetry.count('countersign.requests', 2, { outcome: 'ok', kind: 'submit' })
  telemetry.count('countersign.requests', 1, { kind: 'query', outcome: 'ok' })
  for (const by of [-5, 0, NaN]) telemetry.count('countersign.requests', by, { kind: 'query', outcome: 'ok' })
  assert.equal(familyOf(text(), REQUESTS), {
    type: 'counter',
    help: 'Requests, by kind, path and outcome.',
    samples: [
      { name: REQUESTS, labels: { kind: 'submit', outcome: 'ok' }, value: 3 },
      { name: REQUESTS, labels: { kind: 'query', outcome: 'ok' }, value: 1 },
    ],
  })
})

it('writes any label so that it is read as it was', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { telemetry, text } = prometheus()
      telemetry.count('countersign.requests', 1, { 'a.b-c': value })
      assert.equal(samplesOf(text(), REQUESTS)[0]?.labels, { a_b_c: value })
    }),
    { examples: [['"'], ['\\'], ['\n'], ['\\n'], ['},{a="']] },
  ))

it('counts in each bucket what is in those before it, too', () => {
  const { telemetry, text } = prometheus()
  for (const size of [1, 1, 3, 64, 1000, 0, -1]) telemetry.record('countersign.append.group', size, {})
  for (const size of [NaN, Infinity]) telemetry.record('countersign.append.group', size, {})
  const samples = samplesOf(text(), GROUP)
  const byBound = samples.flatMap(({ labels: { le }, value }) => (le === undefined ? [] : [`${le}: ${value}`]))
  assert.equal(byBound, ['1: 4', '2: 4', '4: 5', '8: 5', '16: 5', '32: 5', '64: 6', '128: 6', '256: 6', '+Inf: 7'])
  assert.equal(
    samples.filter(({ name }) => !name.endsWith('_bucket')),
    [
      { name: `${GROUP}_sum`, labels: {}, value: 1068 },
      { name: `${GROUP}_count`, labels: {}, value: 7 },
    ],
  )
})

it('gives a distribution whose buckets only grow, whatever is recorded', () =>
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 300, noNaN: true })), fc.boolean(), (values, labelled) => {
      const { telemetry, text } = prometheus()
      const attributes = labelled ? { organization: 'a' } : {}
      for (const value of values) telemetry.record('countersign.append.group', value, attributes)
      if (values.length === 0) return
      const counts = samplesOf(text(), GROUP).filter(({ name }) => name !== `${GROUP}_sum`)
      const sizes = counts.map(({ value }) => value)
      assert.equal(
        sizes,
        [...sizes].toSorted((a, b) => a - b),
      )
      assert.is(sizes.at(-1), values.length)
      assert.is(sizes.at(-2), values.length)
    }),
  ))

it('reads a value when somebody looks, until it is told to stop', () => {
  const { telemetry, text } = prometheus()
  let lag = 3
  const stop = telemetry.observe('countersign.projection.lag', { projection: 'activities' }, () => lag)
  assert.is(samplesOf(text(), LAG)[0]?.value, 3)
  lag = -Infinity
  assert.is(samplesOf(text(), LAG)[0]?.value, -Infinity)
  stop()
  assert.equal(samplesOf(text(), LAG), [])
})

it('leaves who has taken a place in it', () => {
  const { telemetry, text } = prometheus()
  const attributes = { projection: 'activities' }
  const stopFirst = telemetry.observe('countersign.projection.lag', attributes, () => 1)
  telemetry.observe('countersign.projection.lag', attributes, () => 2)
  stopFirst()
  assert.equal(
    samplesOf(text(), LAG).map(({ value }) => value),
    [2],
  )
})

it('holds as many series as it can bear, and the rest together', () => {
  const { telemetry, text } = prometheus()
  for (let path = 0; path < 3000; path += 1) telemetry.count('countersign.requests', 1, { path: `p${path}` })
  telemetry.count('countersign.requests', 1, { path: 'p7' })
  const samples = samplesOf(text(), REQUESTS)
  assert.is(samples.length, 1001)
  assert.is(samples.find(({ labels: { overflow } }) => overflow === 'true')?.value, 2000)
  assert.is(samples.find(({ labels: { path } }) => path === 'p7')?.value, 2)
})

it('notes how long a span took, with the outcome, and gives what the work gave', async () => {
  const { telemetry, text } = prometheus()
  const work = (given: string) => () => Promise.resolve(given)
  assert.is(await telemetry.span('countersign.submit', { path: 'a' }, work('ok'), String), 'ok')
  assert.is(await telemetry.span('countersign.query', { path: 'a' }, work('UNAVAILABLE'), String), 'UNAVAILABLE')
  assert.is(await telemetry.span('countersign.verify', { curve: 'a' }, work('ok'), String), 'ok')
  assert.is(
    telemetry.spanSync('countersign.decide', {}, () => 7, String),
    7,
  )
  const bug = new Error('a bug')
  const append = telemetry.span('countersign.append', { commits: 3 }, () => Promise.reject(bug), String)
  const thrown: unknown = await append.catch((error: unknown) => error)
  assert.is(thrown, bug)
  const counts = [...parseExposition(text()).values()].flatMap(({ samples }) =>
    samples.filter(({ name }) => name.endsWith('_count')),
  )
  const duration = 'countersign_request_duration_seconds_count'
  assert.equal(counts, [
    { name: duration, labels: { kind: 'submit', outcome: 'ok' }, value: 1 },
    { name: duration, labels: { kind: 'query', outcome: 'UNAVAILABLE' }, value: 1 },
    { name: 'countersign_append_duration_seconds_count', labels: { outcome: 'thrown' }, value: 1 },
  ])
})

it('tells of an engine, through its server, what was asked and decided', async () => {
  const { telemetry, text } = prometheus()
  const scene = await world({ telemetry, resources: [...publicApi, activityRowsResource] })
  await serving(scene.engine, { metrics: text }, async (url) => {
    await scene.done(scene.root, 'create_user_tag', { userTagName: 'treasury', userIds: [] })
    await scene.submit(scene.root, 'create_user_tag', { userTagName: 'treasury', userIds: [] })
    const reply = await fetch(`${url}/metrics`)
    assert.is(reply.headers.get('content-type'), PROMETHEUS_CONTENT_TYPE)
    const page = await reply.text()
    const requests = samplesOf(page, REQUESTS).filter(({ labels: { kind } }) => kind === 'submit')
    assert.equal(
      requests.map(({ labels: { path, outcome }, value }) => [path, outcome, value]),
      [
        ['create_user_tag', 'ok', 1],
        ['create_user_tag', 'REQUEST_INVALID', 1],
      ],
    )
    const decisions = samplesOf(page, 'countersign_decisions_total')
    assert.is(
      decisions.reduce((sum, { value }) => sum + value, 0),
      2,
    ) // the genesis is one
    const groups = samplesOf(page, GROUP)
    assert.ok((groups.find(({ name }) => name === `${GROUP}_count`)?.value ?? 0) >= 1)
    const lags = samplesOf(page, LAG).map(({ labels: { projection } }) => projection)
    assert.equal(lags, ['email-events', 'sub-organizations', 'activity-rows'])
    assert.not.match(page, scene.organizationId)
  })
  await scene.close()
})

it.run()
