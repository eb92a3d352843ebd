import { useEffect, useState } from 'preact/hooks'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { isWaiting } from '../../../../core/log/standing.ts'
import { fingerprintOfBody } from '../../../../core/view/shown-request.ts'
import type { SeenActivity, SeenVote } from '../../../inbox/seen.ts'
import { escapedLine } from '../../../inbox/escape.ts'
import { millisOfTime, nameIn, statusText } from '../../../inbox/words.ts'
import { verifyVote, type VoteCheck } from '../../../inbox/verified-vote.ts'
import { nobleSignatures } from '../../../signatures/noble-signatures.ts'
import { html, type Shown } from '../html.ts'
import { At, Theirs } from '../parts.ts'
import { texts } from '../texts.ts'
import { shortLine } from '../words.ts'

const signatures = nobleSignatures()

/** The request, the votes and the end, in their order; beside each stamp whether this page could verify it. */
export const Timeline = ({
  activity,
  organizationId,
}: {
  readonly activity: SeenActivity
  readonly organizationId: string
}): Shown => {
  const { votes, status, updatedAt, fingerprint } = activity
  const isRequest = ({ message }: SeenVote, index: number): boolean =>
    message === '' ? index === 0 : fingerprintOfBody(encodeUtf8(message)) === fingerprint
  return html`<section aria-labelledby="timeline">
    <h2 id="timeline">${texts.activity.timeline}</h2>
    <ol class="timeline">
      ${votes.map(
        (vote, index) =>
          html`<li key=${vote.id}>
            <${Theirs} text=${nameIn(vote)} /> ${deedOf(vote, isRequest(vote, index))},
            <${At} ms=${millisOfTime(vote.createdAt)} />
            <${Stamp} activity=${activity} vote=${vote} organizationId=${organizationId} />
          </li>`,
      )}
      ${!isWaiting(status) && html`<li>${shortLine(statusText(status))}, <${At} ms=${millisOfTime(updatedAt)} /></li>`}
    </ol>
  </section>`
}

const deedOf = ({ selection }: SeenVote, isRequest: boolean): string => {
  if (selection === 'VOTE_SELECTION_REJECTED') return texts.activity.rejected
  return isRequest ? texts.activity.requested : texts.activity.approved
}

const Stamp = ({
  activity: { fingerprint },
  vote,
  organizationId,
}: {
  readonly activity: SeenActivity
  readonly vote: SeenVote
  readonly organizationId: string
}): Shown => {
  const [verified, setVerified] = useState<VoteCheck>()
  const { message, signature, publicKey, scheme } = vote
  useEffect(() => {
    let isThisOne = true // what was found of other bytes says nothing of these
    setVerified(undefined)
    void verifyVote(signatures, vote, { organizationId, fingerprint }).then((found) => isThisOne && setVerified(found))
    return () => {
      isThisOne = false
    }
  }, [message, signature, publicKey, scheme, fingerprint])
  if (verified === undefined) return html`<p class="hint">${texts.activity.checking}</p>`
  return verified === 'verified'
    ? html`<p class="hint verified">
        ✓ ${texts.activity.verified} <code>${escapedLine(publicKey.slice(0, 12))}…</code>
      </p>`
    : html`<p class="warning">${texts.activity.unverified[verified.unverified]}</p>`
}
