import { isObject } from '../../../../core/codec/codec.ts'
import type { Json } from '../../../../core/failure.ts'
import { escapedLine } from '../../../inbox/escape.ts'
import type { Judgement } from '../../../inbox/judgement.ts'
import { namesIn, type Names } from '../../../inbox/words.ts'
import { html, type Shown } from '../html.ts'
import { Written } from '../parts.ts'
import { texts } from '../texts.ts'
import { wordsOf } from '../request/schema-form.ts'

/** What was asked for: read by the page from the text that was stamped, and never from what the server says of it. */
export const RequestShown = ({
  judgement,
  names = new Map(),
}: {
  readonly judgement: Judgement
  readonly names?: Names
}): Shown | null => {
  if (judgement.kind === 'erased' || judgement.kind === 'unproven') return null
  const { request, body } = judgement
  const named = namesIn(body, names)
  return html`<section aria-labelledby="shown-request">
    <h2 id="shown-request">${texts.activity.parameters}</h2>
    <${Parameters} parameters=${request.parameters} />
    ${named.map((line) => html`<p class="hint"><bdi>${escapedLine(line)}</bdi></p>`)}
    <h3 id="bytes">${texts.activity.bytes}</h3>
    <pre dir="ltr" tabindex="0" role="region" aria-labelledby="bytes"><${Written} json=${body} /></pre>
  </section>`
}

const Parameters = ({ parameters }: { readonly parameters: Json }): Shown => {
  const members = isObject(parameters) ? Object.entries(parameters) : []
  if (members.length === 0) return html`<p>${texts.activity.noParameters}</p>`
  return html`<dl class="shown-request">
    ${members.map(
      ([name, value]) =>
        html`<dt><bdi>${escapedLine(wordsOf(name))}</bdi></dt>
          <dd>
            <bdi class="value"><${Value} value=${value} /></bdi>
          </dd>`,
    )}
  </dl>`
}

const Value = ({ value }: { readonly value: unknown }): Shown =>
  typeof value === 'string'
    ? html`<bdi class="value">${escapedLine(value)}</bdi>`
    : html`<bdi class="value" dir="ltr"><${Written} json=${JSON.stringify(value, undefined, 2) ?? ''} /></bdi>`
