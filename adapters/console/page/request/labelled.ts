import { html, type Shown } from '../html.ts'
import { requestTexts as texts } from './request-texts.ts'

/** What stands around an input: its id, its name, and what is said about it. */
export type Labelled = {
  readonly at: string
  readonly label: string
  readonly isRequired: boolean
  readonly hint: string | undefined
  readonly fault: string | undefined
}

/** What is shown, or nothing. */
export type Maybe = Shown | false | undefined

/** The attributes of an input that `labelled` stands around. */
export const noted = ({ at, isRequired, hint, fault }: Labelled) => ({
  id: at,
  required: isRequired,
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: false,
  'aria-invalid': fault === undefined ? undefined : 'true',
  'aria-describedby': describedBy(at, hint, fault),
})

const describedBy = (at: string, hint: string | undefined, fault: string | undefined): string | undefined => {
  const ids = [hint === undefined ? [] : [`${at}-hint`], fault === undefined ? [] : [`${at}-error`]].flat()
  return ids.length === 0 ? undefined : ids.join(' ')
}

const hintOf = ({ at, hint }: Labelled): Maybe =>
  hint !== undefined && html`<p class="hint" id=${`${at}-hint`}>${hint}</p>`

const faultOf = ({ at, fault }: Labelled): Maybe =>
  fault !== undefined && html`<p class="error" id=${`${at}-error`} role="alert">${fault}</p>`

const optionalMark = ({ isRequired }: Labelled): Maybe =>
  !isRequired && html` <span class="optional">${texts.optional}</span>`

/** An input with its label, its hint and what is wrong with it. */
export const labelled = (parts: Labelled, input: Shown, ...more: readonly Maybe[]): Shown => html`
  <div class="field">
    <label for=${parts.at}>${parts.label}${optionalMark(parts)}</label>
    ${hintOf(parts)} ${input} ${faultOf(parts)} ${more}
  </div>
`

/** Fields that belong together. */
export const grouped = (parts: Labelled, ...inside: readonly Maybe[]): Shown => html`
  <fieldset id=${parts.at} aria-describedby=${describedBy(parts.at, parts.hint, parts.fault)}>
    <legend>${parts.label}${optionalMark(parts)}</legend>
    ${hintOf(parts)} ${faultOf(parts)} ${inside}
  </fieldset>
`

/** A button for what is not there yet. */
export const missing = (parts: Labelled, add: () => void): Shown => html`
  <div class="field">
    <button
      type="button"
      id=${parts.at}
      aria-describedby=${describedBy(parts.at, parts.hint, parts.fault)}
      onClick=${add}
    >
      ${texts.add(parts.label)}
    </button>
    ${optionalMark(parts)} ${hintOf(parts)} ${faultOf(parts)}
  </div>
`
