import * as t from 'io-ts'
import { decode } from '../../../core/codec/codec.ts'
import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'

/** A request as it was sent, byte for byte. */
export type Sent = {
  readonly kind: 'submit' | 'vote' | 'query'
  readonly organizationId: string
  /** Who stamped it. */
  readonly userId: string
  readonly path: string
  readonly body: Uint8Array
  readonly header: 'x-stamp' | 'x-stamp-webauthn'
  readonly stamp: string
  /** The activity that a submit creates, or that a vote is for; empty for a query. */
  readonly activityId: string
  /** The activity that it creates if its sender is denied it. */
  readonly denialId?: string
}

/** A whole answer: what the server has promised. */
export type Answered = Sent & { readonly status: number; readonly json: Json }

/** A request on its way. `sentAt` and `heardAt` count, over all clients, every sending and every hearing. */
export type Call = {
  readonly client: string
  readonly sent: Sent
  readonly sentAt: number
  /** Undefined where no whole answer came. */
  heardAt?: number
  answered?: Answered
}

/** What a client keeps for itself: what was acknowledged, and what got no answer. */
export type Journal = {
  /** Notes a request before it is sent. */
  readonly sending: (sent: Sent, client: string) => Call
  readonly answered: (call: Call, status: number, json: Json) => Answered
  /** Notes what has to be sent again. */
  readonly unanswered: (sent: Sent) => void
  readonly answers: () => readonly Answered[]
  readonly calls: () => readonly Call[]
  /** How many answers said what became of the request. */
  readonly heard: () => number
  /** Acts behind the next so many of these answers: what a harness does depends on them, and on no clock. Gives what calls it off. */
  readonly after: (answers: number, act: () => void) => () => void
  /** Takes out what got no answer, to be sent again. */
  readonly takeOpen: () => readonly Sent[]
}

export const journal = (): Journal => {
  const answers: Answered[] = []
  const calls: Call[] = []
  let open: Sent[] = []
  const due = new Set<{ readonly at: number; readonly act: () => void }>()
  let [at, heard] = [0, 0]
  return {
    sending: (sent, client) => {
      const call: Call = { client, sent, sentAt: (at += 1) }
      calls.push(call)
      return call
    },
    answered: (call, status, json) => {
      call.heardAt = at += 1
      call.answered = { ...call.sent, status, json }
      answers.push(call.answered)
      if (!isUncertain(call.answered)) heard += 1
      for (const one of due) if (one.at <= heard && due.delete(one)) one.act()
      return call.answered
    },
    unanswered: (sent) => void open.push(sent),
    answers: () => answers,
    calls: () => calls,
    heard: () => heard,
    after: (count, act) => {
      const one = { at: heard + count, act }
      due.add(one)
      return () => void due.delete(one)
    },
    takeOpen: () => {
      const taken = open
      open = []
      return taken
    },
  }
}

const Shown = t.type({
  id: t.string,
  status: t.string,
  type: t.string,
  fingerprint: t.string,
  votes: t.array(t.type({ id: t.string, userId: t.string })),
  result: t.UnknownRecord,
})
/** An activity in an answer. */
export type Shown = t.TypeOf<typeof Shown>

const shownIn = decode(t.type({ activity: Shown }), 'answer')

/** The activity that an answer shows; undefined where it shows none. */
export const activityIn = ({ status, json }: Answered): Shown | undefined => {
  const shown = status === 200 ? shownIn(json) : undefined
  return shown !== undefined && E.isRight(shown) ? shown.right.activity : undefined
}

const Refused = t.type({ details: t.array(t.UnknownRecord) })

/** The code of the failure that an answer tells. */
export const codeIn = ({ json }: Pick<Answered, 'json'>): string | undefined =>
  Refused.is(json) ? json.details.map(({ reason }) => reason).find((reason) => typeof reason === 'string') : undefined

/**
 * Whether the server could not say what became of the request: as good as no answer. A quota that is reached is said for sure, with the status of
 * too many requests: whoever asked again until it is not would ask for ever.
 */
export const isUncertain = (answered: Pick<Answered, 'status' | 'json'>): boolean =>
  answered.status >= 500 || answered.status === 499 || UNCERTAIN.has(codeIn(answered))

const UNCERTAIN: ReadonlySet<string | undefined> = new Set(['CONFLICT', 'INTERRUPTED', 'RATE_LIMIT_EXCEEDED'])
