import * as t from 'io-ts'
import { decode } from '../../core/codec/codec.ts'
import type { Json } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'

/** A request as it was sent, byte for byte. */
export type Sent = {
  readonly kind: 'submit' | 'vote' | 'query'
  readonly path: string
  readonly body: Uint8Array
  readonly stamp: string
  /** The activity that a submit creates, or that a vote is for; empty for a query. */
  readonly activityId: string
  /** The activity that it creates if its sender is denied it. */
  readonly denialId?: string
}

/** A whole answer: what the server has promised. */
export type Answered = Sent & { readonly status: number; readonly json: Json }

/** What a client keeps for itself: what was acknowledged, and what got no answer. */
export type Journal = {
  readonly answered: (sent: Sent, status: number, json: Json) => Answered
  readonly unanswered: (sent: Sent) => void
  readonly answers: () => readonly Answered[]
  /** Takes out what got no answer, to be sent again. */
  readonly takeOpen: () => readonly Sent[]
}

export const journal = (): Journal => {
  const answers: Answered[] = []
  let open: Sent[] = []
  return {
    answered: (sent, status, json) => {
      const answered = { ...sent, status, json }
      answers.push(answered)
      return answered
    },
    unanswered: (sent) => void open.push(sent),
    answers: () => answers,
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
  votes: t.array(t.type({ id: t.string })),
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

/** Whether the server could not say what became of the request: as good as no answer. */
export const isUncertain = (status: number): boolean =>
  status >= 500 || status === 409 || status === 499 || status === 429
