import { STATUSES, agoText, nameIn, statusWord } from '../../../inbox/words.ts'
import type { SeenActivity } from '../../../inbox/seen.ts'
import { addressOf, type View } from '../address.ts'
import { html, type Shown } from '../html.ts'
import { Read, Status, Theirs } from '../parts.ts'
import { usePolled } from '../polled.ts'
import { texts } from '../texts.ts'
import type { Session } from '../who/session.ts'
import { operationWords } from '../words.ts'

type ListView = Extract<View, { readonly name: 'activities' }>

/** Activities, newest first, a page at a time; what is asked for stands in the address. */
export const ActivitiesView = ({ session, view }: { readonly session: Session; readonly view: ListView }): Shown => {
  const { type, status, before } = view
  const polled = usePolled(`activities ${addressOf(view)}`, before === undefined ? NEWEST_MS : OLDER_MS, () =>
    session.calls.activities({
      limit: PAGE,
      before,
      ...(type === undefined ? {} : { types: [type] }),
      ...(status === undefined ? {} : { statuses: [STATUSES[status]?.status ?? status] }),
    }),
  )
  return html`
    <${Filters} view=${view} />
    <${Read} of=${polled}
      >${(activities: readonly SeenActivity[]) => html`
        ${activities.length === 0 ? html`<p>${texts.activities.none}</p>` : html`<${Table} activities=${activities} />`}
        <p class="pages">
          ${before !== undefined && html`<a href=${addressOf({ ...view, before: '' })}>${texts.activities.newest}</a>`}
          ${
            activities.length > 0 &&
            html`<a href=${addressOf({ ...view, before: activities.at(-1)?.id ?? '' })}>${texts.activities.older}</a>`
          }
        </p>
      `}<//
    >
  `
}

const PAGE = 50
const NEWEST_MS = 5_000
const OLDER_MS = 30_000

const Filters = ({ view }: { readonly view: ListView }): Shown => {
  const ask = (changed: Partial<ListView>): void => {
    location.hash = addressOf({ ...view, before: '', ...changed })
  }
  return html`<form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
    <label for="status">${texts.activities.status}</label>
    <select
      id="status"
      value=${view.status ?? ''}
      onChange=${({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
        ask({ status: currentTarget.value })}
    >
      <option value="">${texts.activities.any}</option>
      ${Object.entries(STATUSES).map(([name, { says }]) => html`<option key=${name} value=${name}>${says}</option>`)}
    </select>
    <label for="type">${texts.activities.type}</label>
    <input
      id="type"
      type="text"
      spellcheck="false"
      placeholder="ACTIVITY_TYPE_CREATE_USERS_V2"
      value=${view.type ?? ''}
      onChange=${({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
        ask({ type: currentTarget.value.trim().toUpperCase() })}
    />
  </form>`
}

const Table = ({ activities }: { readonly activities: readonly SeenActivity[] }): Shown =>
  html`<div class="scrolls" tabindex="0" role="region" aria-label=${texts.views.activities}>
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.activities.operation}</th>
          <th scope="col">${texts.activities.by}</th>
          <th scope="col">${texts.activities.when}</th>
          <th scope="col">${texts.activities.status}</th>
        </tr>
      </thead>
      <tbody>
        ${activities.map(
          ({ id, type, votes, createdAt, status }) =>
            html`<tr key=${id}>
              <td><a href=${addressOf({ name: 'activity', id })}>${operationWords(type)}</a></td>
              <td>${votes[0] !== undefined && html`<${Theirs} text=${nameIn(votes[0])} max=${40} />`}</td>
              <td>${agoText(createdAt, Date.now())}</td>
              <td><${Status} status=${status} says=${statusWord(status)} /></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
