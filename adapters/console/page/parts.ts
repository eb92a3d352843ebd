import type { ComponentChildren } from 'preact'
import { escapedJson } from '../../inbox/escape.ts'
import { useDoing } from './doing.ts'
import { html, type Shown } from './html.ts'
import { statusWord } from '../../inbox/words.ts'
import { reasonOf } from './server/server.ts'
import { shortLine } from './words.ts'
import { texts } from './texts.ts'
import type { Polled } from './polled.ts'

/* What several views show. */

/** A text of somebody else in one line: escaped, of its own direction, and not longer than a name. */
export const Theirs = ({ text, max }: { readonly text: string; readonly max?: number }): Shown =>
  html`<bdi class="theirs">${shortLine(text, max)}</bdi>`

/** A status in a frame, and in its colour if the page knows it. */
export const Status = ({ status, says }: { readonly status: string; readonly says: string }): Shown =>
  html`<span class=${`status ${statusWord(status) === status ? '' : statusWord(status)}`}> ${shortLine(says)} </span>`

/** A time, in the words of this device. */
export const At = ({ ms }: { readonly ms: number }): Shown =>
  Number.isFinite(ms)
    ? html`<time datetime=${new Date(ms).toISOString()}>${new Date(ms).toLocaleString()}</time>`
    : html`<span>?</span>`

const LONG = 600

const STRING = /("(?:[^"\\]|\\.)*")/

/** JSON as it is written, escaped. Each string has a direction of its own, so that none changes places with what stands beside it. */
export const Written = ({ json }: { readonly json: string }): Shown =>
  html`${escapedJson(json)
    .split(STRING)
    .map((part, index) => (index % 2 === 1 ? html`<bdi>${part}</bdi>` : part))}`

/** One sentence on what is wrong. */
export const Problem = ({ id, error }: { readonly id?: string; readonly error: unknown }): Shown | null =>
  error === undefined ? null : html`<p class="error" role="alert" id=${id}>${shortLine(reasonOf(error), LONG)}</p>`

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
