import { activityIdOf, resourceIds } from '../activity/identity.ts'
import type { DecodedIntent, Operation } from '../definition/operation.ts'
import type { EventOf } from '../log/event.ts'
import { withStamped } from '../deciding/payloads.ts'
import { deletedUsers } from '../organization/deleted-users.ts'
import type { Organization } from '../organization/state.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { revisionIn } from './check-revision.ts'
import { isSame } from './same-json.ts'

/**
 * Checks whose personal data a new request is said to hold: what the operation says of its intent. A request that is gone may be erased only
 * with the data of these users, so a forger must not name others.
 *
 * @param decoded  the intent of the activity; undefined where it is not known
 */
export const checkSubjects = (
  auditor: Auditor,
  { log, complain }: Where,
  event: EventOf<'ActivityCreated'>,
  form: Operation | undefined,
  decoded: DecodedIntent | undefined,
): void => {
  const { subjects, requester, decision } = event.data
  if (form === undefined) return
  const { attested } = decision.basis
  if (!form.hasSubjects && attested === undefined && subjects !== undefined) return complain('REQUEST_DIFFERS', NOBODY)
  // A denial has an id of its own, but names the users that the same body would create if somebody else submits it.
  const activityId = activityIdOf(auditor.signatures, event.organization, event.data.fingerprint)
  const expected = (of: DecodedIntent) =>
    withStamped(subjectsBy(auditor, activityId, form, of, log.draft), requester, attested)
  if (decoded !== undefined && !isSame(subjects, expected(decoded))) complain('REQUEST_DIFFERS', OTHERS)
  if (subjects === undefined || !log.isStateKnown) return
  const deleted = deletedUsers.of(log.draft)
  if (subjects.some((userId) => deleted.has(userId)))
    complain('REQUEST_DIFFERS', 'the request holds data of a user who was deleted before: it would have been refused')
}

/**
 * Checks whose personal data the request of a vote is said to hold. It holds some only if it is the body of the activity once more.
 *
 * @param live  the activity before the vote
 * @param isCopy  whether it is; undefined where the request is gone
 * @param decoded  the intent of the activity; undefined where it is not known
 */
export const checkVotedSubjects = (
  auditor: Auditor,
  { complain, log }: Where,
  event: EventOf<'ActivityVoted'>,
  { gone }: AuditedActivity,
  form: Operation | undefined,
  isCopy: boolean | undefined,
  decoded: DecodedIntent | undefined,
): void => {
  const { subjects, user, decision } = event.data
  if (form === undefined) return
  const { attested } = decision.basis
  const stamped = (held: readonly string[] | undefined) => withStamped(held, user, attested)
  if (isCopy === false || !form.hasSubjects) {
    if (!isSame(subjects, stamped(undefined))) complain('REQUEST_DIFFERS', subjects === undefined ? OTHERS : NOBODY)
  } else if (isCopy === true || subjects !== undefined || attested !== undefined) {
    const isAsThen = gone !== undefined && gone.revision === revisionIn(event)
    const expected =
      decoded !== undefined
        ? subjectsBy(auditor, event.activity, form, decoded, log.draft)
        : isAsThen
          ? gone.subjects
          : subjects
    const isRight =
      isSame(subjects, stamped(expected)) || (isCopy === undefined && isSame(subjects, stamped(undefined)))
    if (!isRight) complain('REQUEST_DIFFERS', OTHERS)
  }
}

const NOBODY = 'the request holds data of no user, and the event names some'
const OTHERS = 'the request holds data of other users than those that the event names'

const subjectsBy = (
  { signatures }: Auditor,
  activity: string,
  form: Operation,
  { intent }: DecodedIntent,
  organization: Organization,
): readonly string[] | undefined => {
  const subjects = form.subjects(intent, resourceIds(signatures, activity), activity, organization)
  return subjects.length === 0 ? undefined : subjects
}
