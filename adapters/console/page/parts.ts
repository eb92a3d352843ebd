import type { ComponentChildren } from 'preact'
import { escapedLine } from '../../inbox/escape.ts'
import { useDoing } from './doing.ts'
import { html, type Shown } from './html.ts'
import { reasonOf } from './server/server.ts'
import { texts } from './texts.ts'
import type { Polled } from './polled.ts'

/* What several views show. */

const LONG = 120

/** A text of somebody else in one line: escaped, of its own direction, and not longer than a name. */
export const Theirs = ({ text, max = LONG }: { readonly text: string; readonly max?: number }): Shown => {
  const shown = escapedLine(text.length > max ? `${Array.from(text.slice(0, max)).slice(0, -1).join('')}…` : text)
  return html`<bdi class="theirs">${shown}</bdi>`
}

/** A time, in the words of this device. */
export const At = ({ ms }: { readonly ms: number }): Shown =>
  Number.isFinite(ms)
    ? html`<time datetime=${new Date(ms).toISOString()}>${new Date(ms).toLocaleString()}</time>`
    : html`<span>?</span>`

/** One sentence on what is wrong. */
export const Problem = ({ id, error }: { readonly id?: string; readonly error: unknown }): Shown | null =>
  error === undefined ? null : html`<p class="error" role="alert" id=${id}>${escapedLine(reasonOf(error))}</p>`

/** What a reading gives, or why there is nothing yet. */
export const Read = <A>({
  of: { value, error },
  children,
}: {
  readonly of: Polled<A>
  readonly children: (value: A) => ComponentChildren
}): Shown => {
  if (value === undefined)
    return error === undefined ? html`<p role="status">${texts.loading}</p>` : html`<${Problem} error=${error} />`
  return html`${error !== undefined && html`<p class="warning" role="status">${texts.asOf}</p>`} ${children(value)}`
}

/** A button that does one thing at a time. It is not disabled meanwhile, because it would lose the keyboard. */
export const Doing = ({
  onDo,
  children,
}: {
  readonly onDo: () => Promise<void>
  readonly children: ComponentChildren
}): Shown => {
  const { isBusy, error, start } = useDoing()
  return html`<button type="button" aria-disabled=${isBusy} onClick=${() => start(onDo)}>${children}</button>
    <${Problem} error=${error} />`
}
