import { html, type Shown } from '../html.ts'
import { ROOT, type State } from './form-state.ts'
import { labelled, noted, type Labelled } from './labelled.ts'
import { requestTexts as texts } from './request-texts.ts'
import type { Field, Schema } from './schema-form.ts'

/** What all fields of a form share. */
export type Editing = {
  /** The document in which schemas refer to each other. */
  readonly api: unknown
  /** The sentence beside the field at a place. */
  readonly faultAt: (at: string) => string | undefined
  /** Puts the keyboard where this id is, once it is shown. */
  readonly focus: (id: string) => void
}

export type FieldProps = {
  readonly editing: Editing
  readonly schema: Schema
  readonly label: string
  readonly at: string
  readonly isRequired: boolean
  readonly state: State | undefined
  readonly change: (state: State | undefined) => void
}

export type Of<K extends Field['kind']> = FieldProps & { readonly field: Field & { readonly kind: K } }

/** What an event of an input tells. */
export type Typed = { readonly currentTarget: { readonly value: string } }

export const partsOf = ({ editing, at, label, isRequired }: FieldProps, hint: string | undefined): Labelled => ({
  at,
  label,
  isRequired,
  hint,
  fault: editing.faultAt(at),
})

const textIn = (state: State | undefined): string => (state?.is === 'text' || state?.is === 'json' ? state.text : '')

const typing =
  (change: FieldProps['change'], is: 'text' | 'json') =>
  ({ currentTarget: { value } }: Typed): void =>
    change(value === '' ? undefined : { is, text: value })

export const textField = (props: Of<'text'>): Shown => {
  const { field, state, change, isRequired, label } = props
  const text = textIn(state)
  const parts = partsOf(props, field.hint)
  const onInput = typing(change, 'text')
  const hasLines = field.isLong || text.includes('\n')
  const input = hasLines
    ? html`<textarea ...${noted(parts)} rows="2" value=${text} onInput=${onInput}></textarea>`
    : html`<input ...${noted(parts)} type="text" value=${text} onInput=${onInput} />`
  const sendEmpty = () => {
    change({ is: 'text', text: '' })
    props.editing.focus(props.at)
  }
  return labelled(
    parts,
    input,
    state !== undefined && text === '' && html`<p class="hint" role="status">${texts.emptyText}</p>`,
    isRequired &&
      parts.fault !== undefined &&
      html`<button type="button" onClick=${sendEmpty}>${texts.sendEmpty(label)}</button>`,
  )
}

export const numberField = (props: Of<'number'>): Shown => {
  const { field, state, change } = props
  const parts = partsOf(props, field.hint)
  const mode = field.isWhole ? 'numeric' : 'decimal'
  const onInput = typing(change, 'text')
  return labelled(
    parts,
    html`<input ...${noted(parts)} type="text" inputmode=${mode} value=${textIn(state)} onInput=${onInput} />`,
  )
}

export const choiceField = (props: Of<'choice'>): Shown => {
  const { field, state, change, isRequired } = props
  const parts = partsOf(props, field.hint)
  const options = field.values.map((value) => {
    const text = JSON.stringify(value)
    return html`<option value=${text}>${texts.value(text) ?? (typeof value === 'string' ? value : text)}</option>`
  })
  return labelled(
    parts,
    html`<select ...${noted(parts)} value=${textIn(state)} onChange=${typing(change, 'text')}>
      <option value="">${isRequired ? texts.choose : texts.notChosen}</option>
      ${options}
    </select>`,
  )
}

/** What is written as JSON: of any schema, or what its form has no place for. */
export const jsonField = (props: FieldProps, hint: string | undefined): Shown => {
  const { at, state, change } = props
  const parts = partsOf(props, at === ROOT ? undefined : (hint ?? texts.asJson))
  const onInput = typing(change, 'json')
  return labelled(
    parts,
    html`<textarea
      ...${noted(parts)}
      class="code"
      rows=${at === ROOT ? 16 : 4}
      value=${textIn(state)}
      onInput=${onInput}
    ></textarea>`,
  )
}
