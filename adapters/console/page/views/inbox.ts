import { inInboxOrder, selected } from '../../../inbox/listing.ts'
import type { SeenActivity } from '../../../inbox/seen.ts'
import { agoText, nameIn } from '../../../inbox/words.ts'
import { addressOf } from '../address.ts'
import { html, type Shown } from '../html.ts'
import { Read, Theirs } from '../parts.ts'
import { usePolled } from '../polled.ts'
import { texts } from '../texts.ts'
import type { Session } from '../who/session.ts'
import { operationWords } from '../words.ts'

/** What waits for approvals: what this user can approve first, and the oldest first. */
export const InboxView = ({ session }: { readonly session: Session }): Shown => {
  const polled = usePolled(`inbox ${session.organizationId}`, PACE_MS, () =>
    selected(session.calls, { status: ['waiting', 'factor'] }, SHOWN_MAX),
  )
  return html`<${Read} of=${polled}
    >${(waiting: readonly SeenActivity[]) => {
      const ordered = inInboxOrder(waiting)
      const [yours, others] = [ordered.filter(({ canApprove }) => canApprove), ordered.filter((one) => !one.canApprove)]
      return html`
        ${waiting.length === 0 && html`<p role="status">${texts.inbox.nothing}</p>`}
        <${Listed} heading=${texts.inbox.yours} activities=${yours} />
        <${Listed} heading=${texts.inbox.others} activities=${others} />
        ${waiting.length >= SHOWN_MAX && html`<p class="hint">${texts.inbox.more(SHOWN_MAX)}</p>`}
      `
    }}<//
  >`
}

const PACE_MS = 2_000
const SHOWN_MAX = 500

const Listed = ({
  heading,
  activities,
}: {
  readonly heading: string
  readonly activities: readonly SeenActivity[]
}): Shown | null => {
  if (activities.length === 0) return null
  return html`<section>
    <h2>${heading} (${activities.length})</h2>
    <ul class="cards">
      ${activities.map((one) => html`<li key=${one.id}><${Entry} activity=${one} /></li>`)}
    </ul>
  </section>`
}

const Entry = ({ activity: { id, type, votes, createdAt } }: { readonly activity: SeenActivity }): Shown => html`
  <a href=${addressOf({ name: 'activity', id })}>${operationWords(type)}</a>
  <p class="hint">
    ${votes[0] !== undefined && html`<${Theirs} text=${nameIn(votes[0])} />, `} ${agoText(createdAt, Date.now())}
  </p>
`
