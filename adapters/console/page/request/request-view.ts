import { useEffect, useState } from 'preact/hooks'
import { escapedLine } from '../../../inbox/escape.ts'
import { html, type Shown } from '../html.ts'
import { OperationForm, type Requesting } from './operation-form.ts'
import type { Typed } from './plain-fields.ts'
import { requestTexts as texts } from './request-texts.ts'
import { offeredOperations, wordsOf, type Offered } from './schema-form.ts'

export type { Requesting } from './operation-form.ts'

type Loaded =
  | { readonly is: 'loading' }
  | { readonly is: 'refused'; readonly message: string }
  | { readonly is: 'there'; readonly api: unknown; readonly operations: readonly Offered[] }

type RequestProps = {
  readonly requesting: Requesting
  /** The one that the address names; undefined for the list of them. */
  readonly operation: string | undefined
}

/** Any operation that the server offers: chosen from a list, filled in, shown as it is stamped, and sent. */
export const RequestView = ({ requesting, operation }: RequestProps): Shown => {
  const [loaded, setLoaded] = useState<Loaded>({ is: 'loading' })
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    let isWanted = true
    const put = (next: Loaded): void => {
      if (isWanted) setLoaded(next)
    }
    put({ is: 'loading' })
    requesting.openApi().then(
      (api) => put({ is: 'there', api, operations: offeredOperations(api) }),
      (error: unknown) => put({ is: 'refused', message: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [attempt])
  if (loaded.is === 'loading') return html`<p role="status">${texts.loading}</p>`
  if (loaded.is === 'refused')
    return html`<div>
      <p class="error" role="alert">${escapedLine(loaded.message)}</p>
      <button type="button" onClick=${() => setAttempt(attempt + 1)}>${texts.again}</button>
    </div>`
  const { api, operations } = loaded
  if (operation === undefined) return html`<${OperationList} operations=${operations} />`
  const offered = operations.find(({ path }) => path === operation)
  return offered === undefined
    ? html`<div>
        <p class="error" role="alert">${texts.unknown}</p>
        <p><a href="#/request">${texts.all}</a></p>
      </div>`
    : html`<${OperationForm} key=${operation} requesting=${requesting} api=${api} offered=${offered} />`
}

const OperationList = ({ operations }: { readonly operations: readonly Offered[] }): Shown => {
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().split(/\s+/)
  const found = operations.filter(({ path, summary }) => {
    const text = `${path} ${wordsOf(path)} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const onInput = ({ currentTarget: { value } }: Typed): void => setFilter(value)
  return html`
    <div class="field">
      <label for="request-filter">${texts.filter}</label>
      <input id="request-filter" type="search" autocomplete="off" value=${filter} onInput=${onInput} />
    </div>
    <p class="hint" role="status">${found.length === 0 ? texts.none : texts.found(found.length)}</p>
    <ul class="operations">
      ${found.map(
        ({ path, summary }) =>
          html`<li key=${path}>
            <a href=${`#/request/${encodeURIComponent(path)}`}>${wordsOf(path)}</a>
            <p class="hint">${summary}</p>
          </li>`,
      )}
    </ul>
  `
}
