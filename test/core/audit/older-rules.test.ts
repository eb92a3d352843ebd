import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AuditOptions, AuditReport } from '../../../core/audit/report.ts'
import { currentRules } from '../../../core/policy/rules.ts'
import { decisionOf, draftsOf, forged, must } from './forgery.ts'
import { audited, codesIn, exported, trio } from './logs.ts'

/* Decisions of a log whose rules are not the newest that the audit knows: here, there are second rules. */
const it = suite('decisions by older rules')

const rules = [currentRules, { ...currentRules, version: 2 }]
const auditedBy = (text: string, options: AuditOptions = {}): Promise<AuditReport> =>
  audited(text, options, [], undefined, rules)

let honest = ''
it.before(async () => {
  const made = await trio()
  await made.done(made.ada, 'create_user_tag', { userTagName: 'waits', userIds: [] })
  honest = await exported(made.storage.store)
  await made.close()
})

it('hold by those rules, and are counted', async () => {
  const { counts, findings } = await auditedBy(honest)
  assert.equal(findings, [])
  assert.ok(counts.decisions > 0)
  assert.is(counts.byOlderRules, counts.decisions - 1) // the beginning rests on no rules
})

it('are findings for whoever knows that there were none', async () =>
  assert.equal(codesIn(await auditedBy(honest, { rulesMin: 2 })), ['BASIS_DIFFERS']))

it('are findings behind decisions by newer ones', async () => {
  const drafts = draftsOf(honest)
  const decided = drafts.filter(({ event }) => event.data.decision !== undefined)
  for (const draft of decided) decisionOf(draft).basis.rules = 2
  const { counts, findings } = await auditedBy(forged(drafts), { rulesMin: 2 })
  assert.equal([findings, counts.byOlderRules], [[], 0])
  decisionOf(must(decided.at(-1))).basis.rules = 1
  assert.equal(codesIn(await auditedBy(forged(drafts))), ['BASIS_DIFFERS'])
})

it.run()
