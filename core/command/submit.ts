import { nameOf } from '../organization/credentials.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Stamp } from '../organization/credential.ts'
import type { ActivityView, SubmittedView } from '../view/activity-view.ts'
import type { Request } from '../request.ts'
import type { Answered } from './answer.ts'
import { authenticate, type Authenticated } from './authenticate.ts'
import { orBelow } from './authenticate-below.ts'
import type { CommandPorts } from './bus.ts'
import type { CaughtUpPorts } from './caught-up.ts'
import { commandOf } from './command.ts'
import { takesStamp } from './read-request.ts'
import { takeTurns } from './take-turns.ts'

/**
 * Submits an activity, or a vote on one, on a path that `isRoute` knows: authenticates, reads the body, then takes turns until one of them
 * stands. Refuses a request that would wait for its turn for longer than `waitForTurnMaxMs`.
 */
export const submit =
  (ports: CommandPorts & CaughtUpPorts) =>
  async (path: string, request: Request, waitForTurnMaxMs = Infinity): Promise<E.Either<Failure, SubmittedView>> => {
    const mayWait = (organizationId: string, stamp: Stamp): E.Either<Failure, unknown> =>
      ports.queue.isWithin(organizationId, nameOf(stamp).name, waitForTurnMaxMs)
        ? E.right(undefined)
        : E.left(tooManyWait)
    const admit = (organizationId: string, stamp: Stamp): E.Either<Failure, unknown> =>
      E.flatMap(() => mayWait(organizationId, stamp))(takesStamp(path, stamp))
    const known = await authenticate(ports, 'submit', admit)(request)
    const searchesBelow = ports.rules.catalogue.byPath(path)?.searchesBelow === true
    const authenticated = searchesBelow ? await orBelow(ports, 'submit', request, known) : known
    if (E.isLeft(authenticated)) return authenticated
    const command = commandOf({ ...ports.rules, provesActivities: ports.provesActivities }, path, authenticated.right)
    if (E.isLeft(command)) return command
    // The request joins the organization's queue only now, when its signature was verified: no stranger can make that queue longer.
    const { organizationId, stamp } = authenticated.right
    // Requests that were verified at the same time have made the queue longer.
    const admitted = mayWait(organizationId, stamp)
    if (E.isLeft(admitted)) return admitted
    await ports.queue.enter(organizationId, nameOf(stamp).name)
    const turned = await takeTurns(ports, authenticated.right, command.right).finally(() =>
      ports.queue.leave(organizationId),
    )
    if (E.isLeft(turned)) return turned
    const { timestampMs: requestedAtMs } = command.right.envelope
    const answer = await told(ports, authenticated.right, turned.right)
    const proved = E.isLeft(answer) ? answer : await ports.proved(answer.right)
    return E.map((view: ActivityView): SubmittedView => ({ ...view, requestedAtMs }))(proved)
  }

const tooManyWait = failure('RATE_LIMIT_EXCEEDED', 'too many requests wait for their turn; nothing was done; try again')

const told = async (
  { effects }: CommandPorts,
  request: Authenticated,
  { answer, started }: Answered,
): Promise<E.Either<Failure, ActivityView>> => {
  if (started !== undefined) return effects.begin(started.live, started.checked, answer, request)
  // A process that has died may have started its effects, or a commit whose outcome nobody learned.
  if (E.isRight(answer) && answer.right.status === 'ACTIVITY_STATUS_PENDING')
    effects.resume(request.organizationId, answer.right.id)
  return answer
}
