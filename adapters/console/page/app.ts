import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf, viewAt, type View } from './address.ts'
import { AuditView } from './audit/audit-view.ts'
import { auditWorker } from './audit/audit-workers.ts'
import { html, type Shown } from './html.ts'
import { At, Problem, Theirs } from './parts.ts'
import { RequestView } from './request/request-view.ts'
import { serverAt } from './server/address.ts'
import { serverOf, type Server } from './server/server.ts'
import { texts } from './texts.ts'
import { ActivitiesView } from './views/activities.ts'
import { ActivityView } from './views/activity.ts'
import { InboxView } from './views/inbox.ts'
import { OrganizationView } from './views/organization.ts'
import { SignIn } from './views/sign-in.ts'
import { WebhooksView } from './views/webhooks.ts'
import { requestingOf, type Session } from './who/session.ts'
import { useSession } from './who/use-session.ts'

/** The page. */
export const App = (): Shown => {
  const [server] = useState(() => {
    const url = serverAt(location)
    return url === undefined ? undefined : serverOf(url)
  })
  const view = useView()
  return html`
    <a class="skip" href="#main" onClick=${focusMain}>${texts.skip}</a>
    ${
      server === undefined
        ? html`<main id="main" tabindex="-1"><${Problem} error=${new Error(texts.noServer)} /></main>`
        : html`<${Page} server=${server} view=${view} />`
    }
  `
}

/** The address is that of the view, so the link cannot be followed. */
const focusMain = (event: Event): void => {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

const Page = ({ server, view }: { readonly server: Server; readonly view: View }): Shown => {
  const { session, isStarting, error, notice, signedIn, signOut, forgetKept } = useSession(server)
  const heading = useRef<HTMLHeadingElement>(null)
  const isOut = !isStarting && session === undefined && view.name !== 'audit'
  const title = isOut ? texts.signIn.heading : texts.views[view.name]
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${title} · ${texts.title}`
    const isFilling = document.activeElement?.matches('form *') === true // a filter changes the address while somebody chooses
    if (!isFirst.current && !isFilling) heading.current?.focus()
    isFirst.current = isStarting // a page that was just loaded begins at its beginning
  }, [addressOf(view), isStarting, session === undefined])
  return html`
    <header>
      <strong>${texts.title}</strong>
      ${session !== undefined && html`<${Menu} session=${session} view=${view} />`}
      ${session !== undefined && html`<${Who} session=${session} onSignOut=${signOut} />`}
    </header>
    <main id="main" tabindex="-1">
      <h1 ref=${heading} tabindex="-1">${title}</h1>
      ${new URL(server.url).origin === location.origin ? null : html`<p class="warning">${texts.otherServer(server.url)}</p>`}
      ${notice !== undefined && html`<p class="warning" role="status">${notice}</p>`}
      ${
        error !== undefined &&
        html`<div class="kept">
          <p>${texts.signIn.kept}</p>
          <${Problem} error=${error} />
          <button type="button" onClick=${forgetKept}>${texts.signIn.forget}</button>
        </div>`
      }
      ${view.name === 'audit' && html`<${AuditView} makeWorker=${auditWorker} />`}
      ${isStarting && html`<p role="status">${texts.loading}</p>`}
      ${
        !isStarting &&
        session === undefined &&
        view.name !== 'audit' &&
        html`<${SignIn} server=${server} onSignedIn=${signedIn} />
          <p><a href=${addressOf({ name: 'audit' })}>${texts.views.audit}</a></p>`
      }
      ${session !== undefined && html`<${Shows} session=${session} view=${view} key=${session.key.publicKey} />`}
    </main>
  `
}

/** The view of somebody who is signed in. */
const Shows = ({ session, view }: { readonly session: Session; readonly view: View }): Shown | null => {
  if (view.name === 'inbox') return html`<${InboxView} session=${session} />`
  if (view.name === 'activities') return html`<${ActivitiesView} session=${session} view=${view} />`
  if (view.name === 'activity') return html`<${ActivityView} session=${session} id=${view.id} key=${view.id} />`
  if (view.name === 'organization') return html`<${OrganizationView} session=${session} />`
  if (view.name === 'webhooks') return html`<${WebhooksView} session=${session} endpoint=${view.endpoint} />`
  if (view.name === 'request')
    return html`<${RequestView}
      requesting=${requestingOf(session)}
      operation=${view.operation}
      key=${view.operation ?? ''}
    />`
  return null
}

/** The views, and a query that each needs: what the server does not offer is left out. */
const MENU: readonly { readonly view: View; readonly needs?: string }[] = [
  { view: { name: 'inbox' }, needs: 'list_activities' },
  { view: { name: 'activities' }, needs: 'list_activities' },
  { view: { name: 'organization' } },
  { view: { name: 'webhooks' }, needs: 'list_webhook_endpoints' },
  { view: { name: 'request' } },
  { view: { name: 'audit' } },
]

const Menu = ({ session, view }: { readonly session: Session; readonly view: View }): Shown => html`
  <nav aria-label=${texts.menu}>
    <ul>
      ${MENU.filter(({ needs }) => needs === undefined || session.offers.has(needs)).map(
        ({ view: one }) =>
          html`<li key=${one.name}>
            <a href=${addressOf(one)} aria-current=${one.name === view.name ? 'page' : undefined}>
              ${texts.views[one.name]}
            </a>
          </li>`,
      )}
    </ul>
  </nav>
`

const Who = ({ session, onSignOut }: { readonly session: Session; readonly onSignOut: () => void }): Shown => {
  const { userName, organizationName, endsAtMs, isKept } = session
  return html`<p class="who">
    <${Theirs} text=${userName} max=${40} />, <${Theirs} text=${organizationName} max=${40} />${' '}
    ${isKept && html`<span class="hint">${texts.who.kept}</span> `}
    ${endsAtMs !== undefined && html`<span class="hint">${texts.who.until} <${At} ms=${endsAtMs} /></span> `}
    <button type="button" onClick=${onSignOut}>${texts.who.signOut}</button>
  </p>`
}

const useView = (): View => {
  const [view, setView] = useState(() => viewAt(location.hash))
  useEffect(() => {
    const changed = (): void => setView(viewAt(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return view
}
