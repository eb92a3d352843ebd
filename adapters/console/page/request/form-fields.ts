import { html, type Shown } from '../html.ts'
import { entryAt, initialState, memberAt, optionAt, otherAt, type ObjectState, type State } from './form-state.ts'
import { grouped, labelled, missing, noted } from './labelled.ts'
import {
  choiceField,
  jsonField,
  numberField,
  partsOf,
  textField,
  type FieldProps,
  type Of,
  type Typed,
} from './plain-fields.ts'
import { requestTexts as texts } from './request-texts.ts'
import { ANYTHING, fieldOf, optionName, wordsOf } from './schema-form.ts'

/** The field of a schema, with all that is inside of it. */
export const FormField = (props: FieldProps): Shown => {
  const { editing, schema, isRequired, state } = props
  const field = fieldOf(editing.api, schema, isRequired)
  if (state?.is === 'json') return jsonField(props, field.hint)
  switch (field.kind) {
    case 'text':
      return textField({ ...props, field })
    case 'number':
      return numberField({ ...props, field })
    case 'choice':
      return choiceField({ ...props, field })
    case 'list':
      return listField({ ...props, field })
    case 'object':
      return objectField({ ...props, field })
    case 'union':
      return unionField({ ...props, field })
    default:
      return jsonField(props, field.hint)
  }
}

const absent = (props: Of<'list'> | Of<'object'>): Shown => {
  const { editing, schema, at, change, isRequired, field } = props
  return missing(partsOf(props, field.hint), () => {
    change(initialState(editing.api, schema, isRequired))
    editing.focus(at)
  })
}

/** Takes out again what need not be there. */
const leaveOut = ({ isRequired, label, at, change, editing }: FieldProps): Shown | false => {
  const onClick = () => {
    change(undefined)
    editing.focus(at)
  }
  return !isRequired && html`<button type="button" onClick=${onClick}>${texts.leaveOut(label)}</button>`
}

const listField = (props: Of<'list'>): Shown => {
  const { editing, field, state, label, at, change } = props
  if (state?.is !== 'list') return absent(props)
  const { entries } = state
  const add = () => {
    change({ is: 'list', entries: [...entries, initialState(editing.api, field.entry)] })
    editing.focus(entryAt(at, entries.length))
  }
  const remove = (index: number) => () => {
    change({ is: 'list', entries: entries.toSpliced(index, 1) })
    editing.focus(`${at}-add`)
  }
  const shown = entries.map((entry, index) => {
    const entryLabel = texts.entry(label, index + 1)
    const put = (next: State | undefined) => change({ is: 'list', entries: entries.with(index, next) })
    const own = { editing, schema: field.entry, label: entryLabel, at: entryAt(at, index), isRequired: true }
    return html`<div class="list-item" key=${index}>
      <${FormField} ...${own} state=${entry} change=${put} />
      <button type="button" onClick=${remove(index)}>${texts.remove(entryLabel)}</button>
    </div>`
  })
  return grouped(
    partsOf(props, field.hint),
    ...shown,
    html`<button type="button" id=${`${at}-add`} onClick=${add}>${texts.addTo(label)}</button>`,
    leaveOut(props),
  )
}

const objectField = (props: Of<'object'>): Shown => {
  const { editing, field, state, at, change } = props
  if (state?.is !== 'object') return absent(props)
  const shown = field.members.map(({ name, schema, isRequired }) => {
    const own = { editing, schema, isRequired, label: wordsOf(name), at: memberAt(at, name) }
    const inner = Object.hasOwn(state.members, name) ? state.members[name] : undefined
    const put = (next: State | undefined) => change({ ...state, members: { ...state.members, [name]: next } })
    return html`<${FormField} key=${name} ...${own} state=${inner} change=${put} />`
  })
  const isEmpty = shown.length + state.others.length === 0 && field.more === undefined
  return grouped(
    partsOf(props, field.hint),
    isEmpty && html`<p>${texts.noParameters}</p>`,
    ...shown,
    ...othersOf(props, state),
    leaveOut(props),
  )
}

/** Members that the schema does not name. */
const othersOf = ({ editing, field, label, at, change }: Of<'object'>, state: ObjectState): readonly Shown[] => {
  const { others } = state
  const put = (next: ObjectState['others']) => change({ ...state, others: next })
  const add = () => {
    put([...others, { name: '', state: initialState(editing.api, field.more ?? ANYTHING) }])
    editing.focus(`${otherAt(at, others.length)}.name`)
  }
  const shown = others.map((other, index) => {
    const place = otherAt(at, index)
    const nameParts = { at: `${place}.name`, label: texts.memberName, isRequired: true, hint: undefined }
    const noting = { ...nameParts, fault: editing.faultAt(nameParts.at) }
    const rename = ({ currentTarget: { value } }: Typed) => put(others.with(index, { ...other, name: value }))
    const fill = (next: State | undefined) => put(others.with(index, { ...other, state: next }))
    const own = { editing, schema: field.more ?? ANYTHING, label: other.name || texts.memberValue, isRequired: true }
    const remove = () => {
      put(others.toSpliced(index, 1))
      editing.focus(field.more === undefined ? at : `${at}-add`)
    }
    return html`<div class="list-item" key=${`+${index}`}>
      ${labelled(noting, html`<input ...${noted(noting)} type="text" value=${other.name} onInput=${rename} />`)}
      <${FormField} ...${own} at=${place} state=${other.state} change=${fill} />
      <button type="button" onClick=${remove}>${texts.remove(other.name || texts.entry(label, index + 1))}</button>
    </div>`
  })
  if (field.more === undefined) return shown
  return [...shown, html`<button type="button" id=${`${at}-add`} onClick=${add}>${texts.addMember(label)}</button>`]
}

const unionField = (props: Of<'union'>): Shown => {
  const { editing, field, state, label, at, change, isRequired } = props
  const chosen = state?.is === 'union' ? state : undefined
  const option = chosen && field.options[chosen.chosen]
  const parts = { ...partsOf(props, field.hint), label: texts.kindOf(label) }
  const choose = ({ currentTarget: { value } }: Typed) => {
    const next = field.options[Number(value)]
    if (value === '' || next === undefined) change(undefined)
    else change({ is: 'union', chosen: Number(value), state: initialState(editing.api, next) })
  }
  const put = (next: State | undefined) => chosen && change({ ...chosen, state: next })
  const names = field.options.map(
    (one) => optionName(editing.api, one) ?? texts.kinds[fieldOf(editing.api, one, true).kind],
  )
  const own = { editing, schema: option ?? ANYTHING, label, at: optionAt(at), isRequired: true }
  return html`<div class="union">
    ${labelled(
      parts,
      html`<select ...${noted(parts)} value=${chosen === undefined ? '' : String(chosen.chosen)} onChange=${choose}>
        <option value="">${isRequired ? texts.choose : texts.notChosen}</option>
        ${names.map((name, index) => html`<option value=${String(index)}>${name}</option>`)}
      </select>`,
    )}
    ${option && html`<${FormField} key=${chosen?.chosen} ...${own} state=${chosen?.state} change=${put} />`}
  </div>`
}
