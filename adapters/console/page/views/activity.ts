import { useRef, useState } from 'preact/hooks'
import { isUuid } from '../../../../core/codec/codec.ts'
import { isWaiting } from '../../../../core/log/standing.ts'
import { detailsBy, type Details } from '../../../inbox/details.ts'
import { escapedLine } from '../../../inbox/escape.ts'
import { judged } from '../../../inbox/judgement.ts'
import type { SeenActivity } from '../../../inbox/seen.ts'
import { factorsText, millisOfTime, missingWords, nameIn, statusText } from '../../../inbox/words.ts'
import { html, type Shown } from '../html.ts'
import { At, Read, Status, Theirs } from '../parts.ts'
import { usePolled } from '../polled.ts'
import { texts } from '../texts.ts'
import type { Session } from '../who/session.ts'
import { operationWords, shortLine } from '../words.ts'
import { RequestShown } from './request-shown.ts'
import { Timeline } from './timeline.ts'
import { Voting } from './voting.ts'

/** One activity: who asked for what, by the text that was stamped; what became of it; what is missing; a vote. */
export const ActivityView = ({ session, id }: { readonly session: Session; readonly id: string }): Shown => {
  const [isOver, setOver] = useState(false)
  const polled = usePolled(`activity ${id}`, isOver ? RARELY_MS : OFTEN_MS, async () => {
    if (!isUuid(id)) throw new Error(texts.activity.noId)
    const activity = await session.calls.activity(id)
    setOver(!isWaiting(activity.status) && activity.status !== 'ACTIVITY_STATUS_PENDING')
    return activity
  })
  return html`<${Read} of=${polled}
    >${(activity: SeenActivity) =>
      html`<${Activity} session=${session} activity=${activity} onVoted=${polled.again} />`}<//
  >`
}

const OFTEN_MS = 2_000
const RARELY_MS = 30_000

const Activity = ({
  session,
  activity,
  onVoted,
}: {
  readonly session: Session
  readonly activity: SeenActivity
  readonly onVoted: () => void
}): Shown => {
  const { id, status, type, fingerprint, votes, createdAt, failure } = activity
  const judgement = judged(activity, session.organizationId)
  // What is known beside it changes with its votes.
  const read = usePolled(`details ${id} ${status} ${votes.length}`, undefined, () =>
    detailsBy(session.calls, activity, () => true),
  ).value
  const last = useRef<Details>(undefined)
  last.current = read ?? last.current // what stands above the buttons must not go and come again, because they would move
  const details = last.current
  const requester = 'request' in judgement ? judgement.request.vote : votes[0]
  const who = requester === undefined ? '?' : nameIn(requester)
  return html`
    <p>
      <${Status} status=${status} says=${statusText(status)} />
    </p>
    <h2>${operationWords(type)}</h2>
    <p>
      ${texts.activity.askedBy} <strong><${Theirs} text=${who} /></strong>, <${At} ms=${millisOfTime(createdAt)} />
    </p>
    <${RequestShown} judgement=${judgement} names=${details?.names} />
    <dl>
      <dt>${texts.activity.fingerprint}</dt>
      <dd><code>${escapedLine(fingerprint)}</code></dd>
      <dt>${texts.activity.id}</dt>
      <dd><code>${id}</code></dd>
    </dl>
    ${failure !== null && html`<p class="error">${texts.activity.failure}: ${shortLine(failure.message, 600)}</p>`}
    <${Voting} ...${{ session, activity, judgement, onVoted }} isReady=${details !== undefined} />
    ${details !== undefined && html`<${MissingSection} details=${details} />`}
    <${Timeline} activity=${activity} organizationId=${session.organizationId} />
  `
}

const MissingSection = ({ details: { missing, lacking, names } }: { readonly details: Details }): Shown | null => {
  if (missing === undefined && lacking.length === 0) return null
  return html`<section aria-labelledby="missing">
    <h2 id="missing">${texts.activity.missing}</h2>
    <ul>
      ${lacking.map((one) => html`<li>${escapedLine(factorsText(one, names))}</li>`)}
      ${
        missing !== undefined &&
        missingWords(missing, names).map(
          ({ text, names, who }) =>
            html`<li>
              <bdi>${escapedLine(text)}</bdi>
              ${[...names, ...who].map((line) => html`<p class="hint"><bdi>${escapedLine(line)}</bdi></p>`)}
            </li>`,
        )
      }
    </ul>
    <p class="hint">${texts.activity.noted}</p>
  </section>`
}
