import { isForActivity } from '../activity/envelope.ts'
import type { Query } from '../definition/query.ts'
import { failure, type Failure } from '../failure.ts'
import { isApiKey, mayCall } from '../organization/credential.ts'
import { allowsAddress } from '../organization/ip-allowlists.ts'
import { cannotSend, type Issued } from '../organization/issued-key.ts'
import { users } from '../organization/users.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import { SESSION_HEADER, type Request } from '../request.ts'
import type { DaySecrets } from '../resources/deployment-key/day-secrets.ts'
import { readOnlySessionOf } from '../resources/session/read-only-session.ts'
import { authenticate, notLetIn, type AuthenticatePorts, type Authenticated } from './authenticate.ts'
import { orBelow } from './authenticate-below.ts'
import type { CaughtUpPorts } from './caught-up.ts'
import type { Sight } from './home.ts'
import { headerOf, noQuery, readBody, stampHeadersOf, takesStamp } from './read-request.ts'

/** A user who asks, and how the key came about by which they do. */
export type AskingUser = { readonly userId: string; readonly issued?: Issued | undefined }

/** Who asks a query: by a stamp, or by a read-only session. */
export type Asker = Pick<Authenticated, 'organizationId' | 'home' | 'json'> & {
  /** Whose question it is in given states, if they may ask it. */
  readonly callerIn: (sight: Sight, atMs: number) => E.Either<Failure, AskingUser>
  /** Whether results are opened for them that are sealed for the requester of an activity: a read-only session must not become another one. */
  readonly mayOpen: boolean
}

export type AskerPorts = AuthenticatePorts &
  CaughtUpPorts & { readonly clock: Clock; readonly daySecrets: DaySecrets | undefined }

export const askerOf = async (ports: AskerPorts, query: Query, request: Request): Promise<E.Either<Failure, Asker>> => {
  const texts = stampHeadersOf(request)
  const session = headerOf(request, SESSION_HEADER)
  // Older clients send their session with every request.
  if (E.isRight(texts) && texts.right.size === 0 && session !== undefined) return bySession(ports, request, session)
  const known = await authenticate(ports, 'query', (_, stamp) => takesStamp(query.path, stamp))(request)
  const found = query.searchesBelow ? await orBelow(ports, 'query', request, known) : known
  return E.map(({ organizationId, home, json, callerIn }: Authenticated): Asker => ({
    organizationId,
    home,
    json,
    callerIn: (sight, atMs) => {
      const caller = callerIn(sight, atMs)
      if (E.isLeft(caller)) return caller
      if (!mayCall(query.path, caller.right, sight.home !== sight.organization)) return E.left(cannotSend)
      const { userId } = caller.right
      return E.right(isApiKey(caller.right) ? { userId, issued: caller.right.issued } : { userId })
    },
    mayOpen: true,
  }))(found)
}

/** Its user asks, as long as there is this user: in the organization for which the session was made, and in no other. */
const bySession = (
  { clock, daySecrets }: AskerPorts,
  request: Request,
  text: string | readonly string[],
): E.Either<Failure, Asker> => {
  const body = readBody(request)
  if (E.isLeft(body)) return body
  const { json, organizationId } = body.right
  if (isForActivity(json)) return E.left(noQuery)
  const session =
    daySecrets === undefined || typeof text !== 'string' ? undefined : readOnlySessionOf(daySecrets, text, clock.now())
  if (session?.organizationId !== organizationId) return E.left(noSession)
  const { userId } = session
  return E.right({
    organizationId,
    home: organizationId,
    json,
    callerIn: ({ organization }) => {
      if (!users.of(organization).has(userId)) return E.left(noSession)
      return allowsAddress(organization, { publicKey: undefined, address: request.address })
        ? E.right({ userId })
        : E.left(notLetIn)
    },
    mayOpen: false,
  })
}

const noSession = failure('UNAUTHENTICATED', 'the read-only session is not one of this organization, or has ended')
