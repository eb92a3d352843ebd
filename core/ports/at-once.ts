import { places } from '../collections/places.ts'
import { failure, type Failure } from '../failure.ts'
import { E, type TE } from '../prelude.ts'

/** How many messages of one organization are sent at once: a service that hangs must not take all places of its work. */
const AT_ONCE = 8

/** Bounds how many messages of each organization are under way, for a mailer and whatever else sends. */
export const boundedPerOrganization = (what = 'messages') => {
  const tooMany = failure('RATE_LIMIT_EXCEEDED', `the organization sends too many ${what} at once; try again`)
  const { enter, leave } = places(AT_ONCE)
  return <A>(organizationId: string, send: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
    async () => {
      if (!enter(organizationId)) return E.left(tooMany)
      try {
        return await send()
      } finally {
        leave(organizationId)
      }
    }
}
