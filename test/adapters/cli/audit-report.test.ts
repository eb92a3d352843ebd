import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditJson, auditLines } from '../../../adapters/cli/audit-report.ts'
import type { AuditReport } from '../../../core/audit/report.ts'
import { goldenLogs } from '../../golden/golden.ts'
import { LIMITS } from '../../golden/history.ts'
import { hostOperations } from '../../golden/host-operations.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { world } from '../../world.ts'

const it = suite('the report of an audit')

const jsonOf = (report: AuditReport) =>
  JSON.parse(JSON.stringify(auditJson(report))) as { readonly [member: string]: unknown } // what it gives
const golden = async (): Promise<AuditReport> => {
  const log = goldenLogs().find(({ name }) => name === 'rules-1')
  return audited(log?.text ?? '', { limits: [{ limits: {} }, { limits: LIMITS }] }, hostOperations({ answers: [] }))
}

it('says how much was decided by older rules, and where the time of a log went back', async () => {
  const lines = auditLines(await golden())
  assert.equal(lines.slice(-7), [
    '485 lines: 301 events of 141 activities',
    '183 stamps, 183 decisions and 102 executions hold; 4 parts are erased',
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
    'erased',
  ])
  const organization = 'cf13be54-0ef7-4c2b-8a7d-62abce1278cd'
  assert.equal(setbacks, { count: 1, first: [{ organization, sequence: '194', line: 296, backMs: 599750 }] })
  assert.equal(Object.keys(others), ['compared', 'organizations', 'findings', 'omitted'])
})

it('says where it was told of more setbacks than it was given', async () => {
  const report = await golden()
  const more = auditLines({ ...report, setbacks: { ...report.setbacks, count: 4 } })
  assert.equal(more.slice(-5, -4), [
    '4 events are earlier than the event before in the same log, which the rules of then allowed:',
  ])
  assert.is(more.at(-3), '  and 3 more')
})

it('says how often the clock was behind its log, and nothing of what there is none of', async () => {
  const made = await world()
  const tag = (userTagName: string) => made.done(made.root, 'create_user_tag', { userTagName, userIds: [] })
  const summary = async (): Promise<readonly string[]> =>
    auditLines(await audited(await exported(made.storage.store))).slice(4, -2)
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
