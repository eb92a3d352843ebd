import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditJson, auditLines } from '../../../adapters/cli/audit-report.ts'
import type { AuditReport } from '../../../core/audit/report.ts'
import { goldenLog } from '../../system/golden/golden.ts'
import { LIMITS } from '../../system/golden/history.ts'
import { hostOperations } from '../../system/golden/host-operations.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { world } from '../../core/world/world.ts'

const it = suite('the report of an audit')

const jsonOf = (report: AuditReport) =>
  JSON.parse(JSON.stringify(auditJson(report))) as { readonly [member: string]: unknown } // what it gives
const golden = (): Promise<AuditReport> =>
  audited(goldenLog().text, { limits: [{ limits: {} }, { limits: LIMITS }] }, hostOperations({ answers: [] }))

it('says how much was decided by older rules', async () => {
  const report = await golden()
  const lines = auditLines({
    ...report,
    counts: { ...report.counts, byOlderRules: 180, clockBehind: 0, executionsInPart: 0 },
  })
  const all = report.organizations.length
  assert.ok(all > 1)
  assert.equal(lines.slice(-3), [
    '180 decisions were taken by an older version of the rules than version 1, and hold by that version',
    `${all} organizations: 0 compared with a pin, 0 with a head, ${all} with neither`,
    `holds in what the log itself says; ${all} of ${all} organizations were compared with nothing from elsewhere`,
  ])
})

it('says the same as JSON, with all that was counted', async () => {
  const report = await golden()
  const { counts, ...others } = jsonOf(report)
  assert.equal(counts, report.counts)
  assert.equal(Object.keys(report.counts), [
    'lines',
    'events',
    'activities',
    'stamps',
    'decisions',
    'byOlderRules',
    'clockBehind',
    'executions',
    'executionsInPart',
    'leftOut',
    'erased',
    'stampsErased',
    'decisionsErased',
    'executionsErased',
    'readBehind',
    'providerKeys',
    'believed',
  ])
  assert.equal(Object.keys(others), ['compared', 'organizations', 'findings', 'omitted', 'erasures'])
  assert.is((others.erasures as { readonly count: number }).count, 8)
})

it('says who erased whom and when, and how much of it there is', async () => {
  const report = await golden()
  const erasure = {
    organization: 'o',
    activity: 'a',
    userId: 'u',
    state: 'completed',
    at: '2026-01-01T00:00:00.000Z',
    requester: 'r',
    approvers: ['b', 'c'],
    parts: 3,
  } as const
  const started = { ...erasure, userId: undefined, state: 'started', approvers: [], parts: 1 } as const
  const lines = auditLines({ ...report, erasures: { count: 3, first: [erasure, started] } })
  const at = lines.indexOf('3 erasures of personal data:')
  assert.equal(lines.slice(at + 1, at + 4), [
    '  2026-01-01T00:00:00.000Z  o  user u  3 parts  activity a, completed  requested by r  approved by b c',
    '  2026-01-01T00:00:00.000Z  o  user unknown  1 part  activity a, started  requested by r',
    '  and 1 more',
  ])
  assert.equal(jsonOf({ ...report, erasures: { count: 1, first: [erasure] } }).erasures, { count: 1, first: [erasure] })
})

it('says of how many executions parts are erased', async () => {
  const report = await golden()
  const lines = (executionsInPart: number) => auditLines({ ...report, counts: { ...report.counts, executionsInPart } })
  assert.ok(
    lines(1).includes('1 of the executions holds without parts that are erased: only the log says what stood there'),
  )
  assert.ok(
    lines(2).includes('2 of the executions hold without parts that are erased: only the log says what stood there'),
  )
  assert.is(lines(1).length, lines(0).length + 1)
})

it('says how many requests were denied and left out', async () => {
  const report = await golden()
  const lines = (leftOut: number) => auditLines({ ...report, counts: { ...report.counts, leftOut } })
  assert.ok(lines(1).includes('1 request was denied and is left out: only the log says who made it'))
  assert.ok(lines(2).includes('2 requests were denied and are left out: only the log says who made them'))
  assert.is(lines(1).length, lines(0).length + 1)
})

it('says how many events had read a state that was superseded by then', async () => {
  const report = await golden()
  for (const [readBehind, says] of [
    [1, '1 event read a state of another organization'],
    [7, '7 events read a state of another organization'],
  ] as const) {
    const lines = auditLines({ ...report, counts: { ...report.counts, readBehind } })
    assert.ok(lines.some((line) => line.startsWith(says)))
  }
})

it('says how many identity tokens rest on keys that only the log names', async () => {
  const report = await golden()
  for (const [providerKeys, says] of [
    [1, '1 identity token is signed by keys that the log names'],
    [7, '7 identity tokens are signed by keys that the log names'],
  ] as const) {
    const lines = auditLines({ ...report, counts: { ...report.counts, providerKeys } })
    assert.ok(lines.some((line) => line.startsWith(says)))
  }
})

it('says how many events are believed', async () => {
  const report = await golden()
  for (const [believed, says] of [
    [1, '1 event is believed'],
    [7, '7 events are believed'],
  ] as const)
    assert.ok(
      auditLines({ ...report, counts: { ...report.counts, believed } }).includes(
        `${says}: what they rest on is missing: a revision of an operation in this version, another organization in this transcript, ` +
          'or the keys that sign verification tokens, which --keys gives',
      ),
    )
})

it('says how often the clock was behind its log, and nothing of what there is none of', async () => {
  const made = await world()
  const tag = (userTagName: string) => made.done(made.root, 'create_user_tag', { userTagName, userIds: [] })
  const summary = async (): Promise<readonly string[]> =>
    auditLines(await audited(await exported(made.storage.store))).slice(5, -2)
  await tag('in time')
  assert.equal(await summary(), ['2 stamps, 2 decisions and 2 executions hold; 0 parts are erased'])
  made.clock.pass(-1000)
  await tag('behind')
  assert.equal(await summary(), [
    '3 stamps, 3 decisions and 3 executions hold; 0 parts are erased',
    '1 decision was taken while the clock of the server was behind the time of its log: only the server says how old the requests were',
  ])
  await made.close()
})

it.run()
