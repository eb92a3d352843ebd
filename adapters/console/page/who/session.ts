import * as t from 'io-ts'
import type { Stamper } from '../../../../core/door/transport.ts'
import { E } from '../../../../core/prelude.ts'
import { STAMP_LOGIN } from '../operations.ts'
import { inboxCalls, type InboxCalls } from '../../../inbox/inbox-calls.ts'
import { answerOf } from '../server/answer-of.ts'
import type { Server } from '../server/server.ts'
import type { Requesting } from '../request/operation-form.ts'
import { texts } from '../texts.ts'
import { forget, keep, type Kept } from './kept-key.ts'
import { newPageKey, pageKeyOf, type PageKey } from './page-key.ts'
import { passkeyStamper } from './passkey.ts'
import { readPasted } from './pasted.ts'

/** Somebody who is signed in. */
export type Session = {
  readonly server: Server
  readonly organizationId: string
  readonly organizationName: string
  readonly userId: string
  readonly userName: string
  readonly key: PageKey
  readonly isKept: boolean
  /** When it ends, in milliseconds since the epoch, if it does. */
  readonly endsAtMs: number | undefined
  /** What the server offers, by the names of operations and queries. */
  readonly offers: ReadonlySet<string>
  /** What the server tells of what waits. */
  readonly calls: InboxCalls
  /** Asks `query/NAME` or submits `submit/NAME` with these members, as this user. */
  readonly ask: Ask
  /** The same with another stamp of the same user. */
  readonly callsBy: (stamper: Stamper) => InboxCalls
}

type Ask = (path: string, members: object, signal?: AbortSignal) => Promise<unknown>

/** Signs in with the text of a credentials file. */
export const signInWithFile = async (server: Server, text: string, isKept: boolean): Promise<Session> => {
  const read = readPasted(text)
  if (E.isLeft(read)) throw new Error(read.left)
  const key = await pageKeyOf(read.right)
  const session = await sessionOf(server, { organizationId: read.right.organizationId, key })
  return isKept ? kept(session) : session
}

/** Signs in with a passkey, which stamps the beginning of a session for a key that the page makes. */
export const signInWithPasskey = async (server: Server, organizationId: string, isKept: boolean): Promise<Session> => {
  if (!(await server.offers()).has('stamp_login')) throw new Error(texts.signIn.noSessions)
  const key = await newPageKey()
  const parameters = { publicKey: key.publicKey, expirationSeconds: String(SESSION_SECONDS) }
  const body = requestText({ type: STAMP_LOGIN, organizationId, parameters })
  const endsAtMs = Date.now() + SESSION_SECONDS * 1000
  const answer = await server.send('submit/stamp_login', body, passkeyStamper([]), { again: true })
  const { status, organizationId: own } = answerOf(Login, answer).activity
  if (status !== 'ACTIVITY_STATUS_COMPLETED') throw new Error(texts.signIn.waits)
  // A passkey of an organization below is found with the id of the one above.
  const session = await sessionOf(server, { organizationId: own, key, endsAtMs })
  return isKept ? kept(session) : session
}

const SESSION_SECONDS = 3600

const Login = t.type({ activity: t.type({ status: t.string, organizationId: t.string }) })

const kept = async (session: Session): Promise<Session> => {
  const { server, organizationId, key, endsAtMs } = session
  if (key.held === undefined) throw new Error(texts.signIn.cannotKeep)
  await keep({ server: server.url, organizationId, key, ...(endsAtMs === undefined ? {} : { endsAtMs }) })
  return { ...session, isKept: true }
}

/** The session of a key that was kept. */
export const resumed = async (server: Server, kept: Kept): Promise<Session> => ({
  ...(await sessionOf(server, kept)),
  isKept: true,
})

export const signOut = ({ server, key }: Session): Promise<void> =>
  forget(server.url, key.publicKey).catch(() => undefined)

/** The body of a request, as the page stamps it. */
export const requestText = (request: {
  readonly type: string
  readonly organizationId: string
  readonly parameters: unknown
}): string => {
  const { type, organizationId, parameters } = request
  return JSON.stringify({ type, timestampMs: nextMs(), organizationId, parameters })
}

/** Two requests with equal bytes would be one. */
let lastMs = 0
const nextMs = (): string => String((lastMs = Math.max(Date.now(), lastMs + 1)))

const asking =
  (server: Server, organizationId: string) =>
  (stamper: Stamper): Ask =>
  (path, members, signal) => {
    const body = JSON.stringify({ timestampMs: nextMs(), organizationId, ...members })
    return server.send(path, body, stamper, { again: path.startsWith('submit/'), ...(signal && { signal }) })
  }

const Whoami = t.type({ organizationName: t.string, userId: t.string, username: t.string })

const sessionOf = async (
  server: Server,
  { organizationId, key, endsAtMs }: Pick<Kept, 'organizationId' | 'key'> & { readonly endsAtMs?: number | undefined },
): Promise<Session> => {
  const askBy = asking(server, organizationId)
  const ask = askBy(key.stamper)
  const [answer, offers] = await Promise.all([ask('query/whoami', {}), server.offers()])
  const { organizationName, userId, username: userName } = answerOf(Whoami, answer)
  const aheadMs = server.clockAheadMs() ?? 0
  if (Math.abs(aheadMs) > CLOCK_MS_MAX) throw new Error(texts.signIn.clock(aheadMs))
  const callsBy = (stamper: Stamper): InboxCalls => inboxCalls({ organizationId, ask: askBy(stamper), wrong })
  const who = { organizationId, organizationName, userId, userName, key, endsAtMs }
  return { server, ...who, isKept: false, offers, ask, calls: callsBy(key.stamper), callsBy }
}

/** An answer that is not what was asked for, as people read it. */
const wrong = (why: string): Error => new Error(`${why.charAt(0).toUpperCase()}${why.slice(1)}.`)

/** A server refuses requests from further in the future. */
const CLOCK_MS_MAX = 5 * 60_000

/** What the view of new requests needs of a session. */
export const requestingOf = ({ server, organizationId, key }: Session): Requesting => ({
  organizationId,
  openApi: server.openApi,
  nowMs: () => Number(nextMs()),
  submit: async (path, body) =>
    answerOf(Submitted, await server.send(`submit/${path}`, body, key.stamper, { again: true })).activity,
})

const Submitted = t.type({ activity: t.type({ id: t.string, status: t.string, type: t.string }) })
