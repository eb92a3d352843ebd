import { failure, type Failure } from '../failure.ts'
import { E, type TE } from '../prelude.ts'
import { withThrown } from '../telemetry/cause.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'

/**
 * Makes a task that never rejects, whatever the host's code in it does. A bug stores nothing: the
 * caller gets `INTERNAL`, and may send the same request again when the bug is mended.
 *
 * @param what  names the task to the operator
 * @param requestId  the id of the request that it belongs to
 */
export const guarded =
  (tell: TellThrown) =>
  <A>(what: string, task: TE.TaskEither<Failure, A>, requestId?: string): TE.TaskEither<Failure, A> =>
  async () => {
    try {
      return await task()
    } catch (thrown) {
      tell(what, thrown, requestId === undefined ? {} : { requestId })
      return E.left(withThrown(bug, thrown))
    }
  }

const bug = failure('INTERNAL', 'a bug was met while this was answered; the operator was told of it')
