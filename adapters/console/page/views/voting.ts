import * as t from 'io-ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isWaiting } from '../../../../core/log/standing.ts'
import { cast } from '../../../inbox/cast.ts'
import type { Voting as Way } from '../../../inbox/inbox-calls.ts'
import type { Judgement } from '../../../inbox/judgement.ts'
import type { SeenActivity } from '../../../inbox/seen.ts'
import { statusText } from '../../../inbox/words.ts'
import { useDoing } from '../doing.ts'
import { html, type Shown } from '../html.ts'
import { Problem } from '../parts.ts'
import { usePolled } from '../polled.ts'
import { answerOf } from '../server/answer-of.ts'
import { texts } from '../texts.ts'
import { hasPasskeys, passkeyStamper } from '../who/passkey.ts'
import type { Session } from '../who/session.ts'

type Props = {
  readonly session: Session
  readonly activity: SeenActivity
  readonly judgement: Judgement
  /** Whether all is shown that is known: names that come later could change what one reads, and move the buttons. */
  readonly isReady: boolean
  readonly onVoted: () => void
}

/**
 * The buttons of a vote. Approving is for the text that is shown: without one that has the fingerprint, the organization and the type of the
 * activity, it stays disabled, and the page says why.
 */
export const Voting = ({ session, activity, judgement, isReady, onVoted }: Props): Shown => {
  const [said, setSaid] = useState('')
  const { isBusy, error, start } = useDoing()
  const seen = useRef(activity)
  seen.current = activity
  const [votedOn, setVotedOn] = useState<SeenActivity>() // until the page has read what became of it, the vote is not offered again
  const passkeys = usePasskeys(session)
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (said !== '' || error !== undefined) outcome.current?.focus() // the button that had the keyboard may be gone
  }, [said, error])
  const vote = (way: Way, byPasskey: boolean): void =>
    start(async () => {
      setSaid('')
      setSaid(await voted(session, way, activity, byPasskey ? passkeys : undefined).finally(onVoted))
      setVotedOn(seen.current)
    })
  // The second click of a double click may have been meant for what stood here before, such as a link of the inbox.
  const button = (way: Way, byPasskey: boolean, label: string, isAllowed: boolean): Shown =>
    html`<button
      type="button"
      class=${way}
      disabled=${!isAllowed || !isReady || votedOn === activity}
      aria-disabled=${isBusy}
      aria-describedby="why-not"
      onClick=${({ detail }: MouseEvent) => detail < 2 && vote(way, byPasskey)}
    >
      ${label}
    </button>`
  const { canApprove, canReject } = activity
  const hasVote = isWaiting(activity.status) && (canApprove || canReject)
  const approves = canApprove && judgement.kind === 'shown'
  const rejects = canReject && (judgement.kind === 'shown' || judgement.kind === 'contradicted')
  return html`<section class="vote" aria-label=${hasVote ? texts.activity.vote : undefined}>
    <div id="why-not">
      <${WhyNot} judgement=${judgement} isOver=${!isWaiting(activity.status)} hasVote=${hasVote} />
    </div>
    ${
      hasVote &&
      html`<p class="buttons">
        ${button('approve', false, texts.activity.approve, approves)}
        ${button('reject', false, texts.activity.reject, rejects)}
        ${passkeys !== undefined && button('approve', true, texts.activity.approveWithPasskey, approves)}
        ${passkeys !== undefined && button('reject', true, texts.activity.rejectWithPasskey, rejects)}
      </p>`
    }
    <div ref=${outcome} tabindex="-1">
      <p role="status">${isBusy ? texts.activity.voting : isReady ? said : texts.loading}</p>
      <${Problem} error=${error} />
    </div>
  </section>`
}

const WhyNot = ({
  judgement,
  isOver,
  hasVote,
}: {
  readonly judgement: Judgement
  readonly isOver: boolean
  readonly hasVote: boolean
}): Shown | null => {
  if (judgement.kind === 'erased') return html`<p class="warning">${texts.activity.erased}</p>`
  if (judgement.kind === 'shown') return hasVote || isOver ? null : html`<p>${texts.activity.noVote}</p>`
  const why = judgement.kind === 'contradicted' ? texts.activity.contradicted : texts.activity.unproven[judgement.why]
  return html`<p class="error" role="alert">${texts.activity.cannot} ${why} ${texts.activity.lie}</p>`
}

/** Votes, and says in words what has become of it. */
const voted = async (
  session: Session,
  way: Way,
  { id, fingerprint }: SeenActivity,
  passkeys: readonly string[] | undefined,
): Promise<string> => {
  const { calls, callsBy } = session
  const stamped = passkeys === undefined ? calls : callsBy(passkeyStamper(passkeys))
  // A passkey asks its owner each time, so it stamps the vote alone.
  const outcome = await cast({ ...calls, vote: stamped.vote }, way, fingerprint, id)
  if (outcome.kind === 'exchanged') throw new Error(texts.activity.otherAnswer)
  if (outcome.kind === 'late') throw outcome.error
  return texts.activity.voted(statusText(outcome.activity.status))
}

const Own = t.type({ user: t.type({ authenticators: t.readonlyArray(t.type({ credentialId: t.string })) }) })

/** The passkeys of this user, which alone may stamp votes here; undefined where there are none. */
const usePasskeys = (session: Session): readonly string[] | undefined => {
  const { value } = usePolled(`passkeys ${session.userId}`, 30_000, async (signal) => {
    if (!hasPasskeys() || !session.offers.has('get_user')) return []
    const { userId } = session
    const { user } = answerOf(Own, await session.ask('query/get_user', { userId }, signal))
    return user.authenticators.map(({ credentialId }) => credentialId)
  })
  return value === undefined || value.length === 0 ? undefined : value
}
