import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditJson, auditLines } from '../../../adapters/cli/audit-report.ts'
import type { AuditReport } from '../../../core/audit/report.ts'
import { goldenLogs } from '../../system/golden/golden.ts'
import { BY_HAND, LIMITS } from '../../system/golden/history.ts'
import { hostOperations } from '../../system/golden/host-operations.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { world } from '../../core/world/world.ts'

const it = suite('the report of an audit')

const jsonOf = (report: AuditReport) =>
  JSON.parse(JSON.stringify(auditJson(report))) as { readonly [member: string]: unknown } // what it gives
const golden = async (): Promise<AuditReport> => {
  const log = goldenLogs().find(({ name }) => name === 'rules-1')
  return audited(
    log?.text ?? '',
    { limits: [{ limits: {} }, { limits: LIMITS }], byHandMax: BY_HAND },
    hostOperations({ answers: [] }),
  )
}

it('says how much was decided by older rules, and where the time of a log went back', async () => {
  const lines = auditLines(await golden())
  assert.equal(lines.slice(-8), [
    '485 lines: 301 events of 141 activities',
    '183 stamps, 183 decisions and 102 executions hold; 4 parts are erased',
    '4 stamps, 4 decisions and 4 executions cannot be checked any more: what they rest on is erased',
    '180 decisions were taken by an older version of the rules than version 2, and hold by that version',
    '1 event is earlier than the event before in the same log, which the rules of then allowed:',
    '  line 296  cf13be54-0ef7-4c2b-8a7d-62abce1278cd  sequence 194  599750 ms earlier',
    '3 organizations: 0 compared with a pin, 0 with a head, 3 with neither',
    'everything holds in what the log says; 3 of 3 organizations were compared with nothing from elsewhere',
  ])
})

it('says the same as JSON, with all that was counted', async () => {
  const report = await golden()
  const { counts, setbacks, ...others } = jsonOf(report)
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
    'erased',
    'stampsErased',
    'decisionsErased',
    'executionsErased',
    'believed',
  ])
  const organization = 'cf13be54-0ef7-4c2b-8a7d-62abce1278cd'
  assert.equal(setbacks, { count: 1, first: [{ organization, sequence: '194', line: 296, backMs: 599750 }] })
  assert.equal(Object.keys(others), ['compared', 'organizations', 'findings', 'omitted', 'erasures'])
  assert.equal(others.erasures, { count: 0, first: [] })
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

it('says where it was told of more setbacks than it was given', async () => {
  const report = await golden()
  const more = auditLines({ ...report, setbacks: { ...report.setbacks, count: 4 } })
  assert.equal(more.slice(-5, -4), [
    '4 events are earlier than the event before in the same log, which the rules of then allowed:',
  ])
  assert.is(more.at(-3), '  and 3 more')
})

it('says how many events are believed', async () => {
  const report = await golden()
  for (const [believed, says] of [
    [1, '1 event is believed'],
    [7, '7 events are believed'],
  ] as const)
    assert.is(
      auditLines({ ...report, counts: { ...report.counts, believed } }).at(-6),
      `${says}: what they rest on is missing, a revision of an operation in this version or another organization in this transcript`,
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
