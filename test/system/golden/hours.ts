import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import type { TestClock } from '../../core/world/world.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import { beginOffice, idIn } from './office.ts'

const OFFICE_HOURS = "CronSpan('0 9 * * 1-5', '8h', 'America/New_York')"

/**
 * An organization whose policies hold at certain times: made, changed, and taken away, over a weekend on which New York changes its
 * clocks. It comes last, because the clock goes on by days.
 */
export const hours = async (
  engine: Engine,
  clock: TestClock,
): Promise<{ readonly organizationId: string; readonly key: SigningKey }> => {
  const { root, organizationId, done, enrol, submit, vote } = await beginOffice(engine, clock)
  const [ada, grace] = [await enrol('ada'), await enrol('grace')]
  const at = (instant: string): void => clock.set(Date.parse(instant))
  const policy = (policyName: string, time: string, more: { readonly [member: string]: Json } = {}) => ({
    policyName,
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: 'approvers.count() >= 2',
    notes: '',
    time,
    ...more,
  })
  const tag = (userTagName: string) => submit(ada, 'create_user_tag', { userTagName, userIds: [] })
  const waiting = (userTagName: string) => done(ada, 'create_user_tag', { userTagName, userIds: [] })
  await done(root, 'create_policy', policy('since this year', "time.now >= Timestamp('2026-01-01T00:00:00Z') && false"))
  const inHours = idIn(await done(root, 'create_policy', policy('in office hours', OFFICE_HOURS)), 'policyId')
  const freeze = policy(
    'a freeze',
    "time.now >= Timestamp('2026-03-10T00:00:00Z') && CronSpan('* * * * *', '1m', 'UTC')",
  )
  const closed = policy('closed', "CronSpan('0 0 * * 0,6', '1d', 'Australia/Lord_Howe')", { consensus: '' })
  await done(root, 'create_policies', {
    policies: [
      { ...freeze, effect: 'EFFECT_DENY' },
      { ...closed, effect: 'EFFECT_DENY' },
    ],
  })
  at('2026-03-05T13:59:59Z')
  await tag('before nine')
  at('2026-03-05T14:00:00Z')
  await vote('approve', grace, await waiting('at nine'))
  at('2026-03-05T21:59:59Z')
  const open = await waiting('over the edge')
  at('2026-03-05T22:00:00Z')
  await vote('approve', grace, open) // refused: it cannot count
  at('2026-03-06T14:00:00Z') // a Saturday on Lord Howe Island
  await vote('approve', grace, open)
  at('2026-03-09T13:00:00Z') // nine in New York, whose clocks went forward
  await vote('approve', grace, await waiting('an hour earlier'))
  await done(root, 'update_policy', { policyId: inHours, time: `${OFFICE_HOURS} || true` })
  await vote('reject', grace, await waiting('rejected'))
  await done(root, 'update_policy', { policyId: inHours, time: '' })
  const first = { policyId: inHours, policyNotes: 'always', time: 'not read' }
  await done(root, 'update_policy', first, { type: 'ACTIVITY_TYPE_UPDATE_POLICY' })
  at('2026-03-10T01:00:00Z')
  await vote('approve', grace, await waiting('at night'))
  return { organizationId, key: root.key }
}
