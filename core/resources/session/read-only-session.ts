import * as t from '../../codec/t.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { DaySecrets } from '../deployment-key/day-secrets.ts'

/*
 * A read-only session is a text that asks queries for its user, as whoever has it. It is sealed under the secret of the day, so nobody else can make
 * one; and in the log it is sealed once more, so that nobody who reads the log has it.
 */

const ReadOnlySession = t.fields({ organizationId: t.string, userId: t.string, endsAtMs: t.number })
export type ReadOnlySession = t.TypeOf<typeof ReadOnlySession>

export const READ_ONLY_SECONDS = 3_600

/** The session of a text; `undefined` where it is none of this deployment, was changed, or is over. */
export const readOnlySessionOf = (
  { open }: Pick<DaySecrets, 'open'>,
  text: string,
  nowMs: number,
): ReadOnlySession | undefined => {
  const opened = open('read-only session', text)
  if (opened === undefined) return undefined
  const session = parseJson(opened)
  return ReadOnlySession.is(session) && nowMs < session.endsAtMs ? session : undefined
}
