import * as t from '../../codec/t.ts'
import { completed, projection, type CompletedContext } from '../../definition/projection.ts'
import type { RowChange } from '../../ports/read-models.ts'
import { emailAuth } from '../mailed-credential/email-auth.ts'
import { initUserEmailRecovery } from '../mailed-credential/init-user-email-recovery.ts'
import { initOtp } from '../otp/init-otp.ts'
import { initOtpAuth } from '../otp/init-otp-auth.ts'
import type { SentCode } from '../otp/send-code.ts'

/** A mail that a server has taken. Its address is known by name alone, as `nameOf` of the day's secrets gives it. */
export const EmailEventRow = t.fields({
  id: t.string,
  messageId: t.string,
  from: t.string,
  atMs: t.number,
  place: t.string,
})

const rowOf = (
  { messageId, from, to }: t.TypeOf<typeof SentCode>,
  { organization, activityId: id, sequence: order, atMs }: CompletedContext<unknown>,
): readonly RowChange[] => {
  if (messageId === undefined || from === undefined || to === undefined) return []
  const value = { id, messageId, from, atMs, place: String(order) }
  return [{ _tag: 'put', organization, key: id, order, facets: { first: to }, value }]
}

/** The mails of an organization, by the activity that has sent each. */
export const emailEvents = projection({
  name: 'email-events',
  version: 1,
  row: EmailEventRow,
  on: [
    completed(initOtp, rowOf),
    completed(initOtpAuth, rowOf),
    completed(emailAuth, ({ sent }, at) => rowOf(sent, at)),
    completed(initUserEmailRecovery, ({ sent }, at) => rowOf(sent, at)),
  ],
})
