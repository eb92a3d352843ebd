import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { escapedLine } from '../../../inbox/escape.ts'
import { html, type Shown } from '../html.ts'
import { FormField } from './form-fields.ts'
import { fromJson, initialState, ROOT, toJson, type Fault, type State } from './form-state.ts'
import type { Typed } from './plain-fields.ts'
import { requestBody } from './request-body.ts'
import { requestTexts as texts } from './request-texts.ts'
import { ANYTHING, fieldOf, wordsOf, type Offered, type OfferedForm } from './schema-form.ts'

/** What the view needs of who is signed in. */
export type Requesting = {
  readonly organizationId: string
  /** The parsed /openapi.json of the server; rejects with an Error whose message can be shown. */
  readonly openApi: () => Promise<unknown>
  /** Stamps exactly the bytes of this text, and sends them to /public/v1/submit/<path>. Rejects with an Error whose message can be shown. */
  readonly submit: (path: string, body: string) => Promise<Submitted>
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number
}

/** The activity that came of a request. */
type Submitted = { readonly id: string; readonly status: string; readonly type: string }

type Step =
  | { readonly is: 'form' }
  | { readonly is: 'body'; readonly body: string; readonly isUnderWay?: boolean; readonly refusal?: string }
  | { readonly is: 'sent'; readonly activity: Submitted }

const HEADING = 'request-heading'

type FormProps = { readonly requesting: Requesting; readonly api: unknown; readonly offered: Offered }

/** One operation: its form, then the body, then what has become of it. What was filled in stays until it is sent. */
export const OperationForm = ({ requesting, api, offered }: FormProps): Shown => {
  const { path, summary, forms } = offered
  const [filled, setFilled] = useState<Filled>(() => startOf(api, forms[0] ?? NO_FORM))
  const [step, setStep] = useState<Step>({ is: 'form' })
  const focus = useFocus()
  const go = (next: Step): void => {
    setStep(next)
    focus(HEADING)
  }
  const show = (): void => {
    const { json, faults } = writtenBy(api, filled)
    setFilled({ ...filled, faults })
    if (faults[0] !== undefined) return focus(faults[0].at)
    const { organizationId, nowMs } = requesting
    const { type } = filled.form
    go({ is: 'body', body: requestBody({ type, timestampMs: nowMs(), organizationId, parameters: json ?? {} }) })
  }
  const isUnderWay = useRef(false)
  const send = async (body: string): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setStep({ is: 'body', body, isUnderWay: true })
    try {
      go({ is: 'sent', activity: await requesting.submit(path, body) })
    } catch (error) {
      setStep({ is: 'body', body, refusal: error instanceof Error ? error.message : String(error) })
    } finally {
      isUnderWay.current = false
    }
  }
  return html`
    <h2>${wordsOf(path)}</h2>
    <p>${summary}</p>
    <p><a href="#/request">${texts.all}</a></p>
    ${step.is === 'form' && html`<${Filling} ...${{ api, forms, filled, focus, show }} fill=${setFilled} />`}
    ${step.is === 'body' && html`<${Checking} step=${step} send=${send} back=${() => go({ is: 'form' })} />`}
    ${step.is === 'sent' && sentShown(step.activity)}
  `
}

/** What is filled in, into which form, and what was wrong with it when it was looked at last. */
type Filled = { readonly form: OfferedForm; readonly state: State | undefined; readonly faults: readonly Fault[] }

const NO_FORM: OfferedForm = { type: '', parameters: ANYTHING }

const startOf = (api: unknown, form: OfferedForm): Filled => ({
  form,
  state: initialState(api, form.parameters),
  faults: [],
})

const writtenBy = (api: unknown, { form, state }: Filled) => toJson(api, form.parameters, state)

/** Takes another form of the operation, with what was filled in. JSON that cannot be read stays as it is. */
const reshaped = (api: unknown, filled: Filled, form: OfferedForm): Filled => {
  const start = startOf(api, form)
  const { json, faults } = writtenBy(api, filled)
  if (filled.state?.is === 'json' && faults.length > 0 && json !== undefined) return { ...filled, form }
  const state = json === undefined ? undefined : fromJson(api, form.parameters, json)
  if (state?.is !== 'object' || start.state?.is !== 'object') return { ...start, state: state ?? start.state }
  return { ...start, state: { ...state, members: { ...start.state.members, ...state.members } } }
}

type FillingProps = {
  readonly api: unknown
  readonly forms: readonly OfferedForm[]
  readonly filled: Filled
  readonly fill: (filled: Filled) => void
  readonly focus: (id: string) => void
  readonly show: () => void
}

const Filling = ({ api, forms, filled, fill, focus, show }: FillingProps): Shown => {
  const { form, state, faults } = filled
  const change = (next: State | undefined): void => {
    const changed = { ...filled, state: next ?? { is: 'json' as const, text: '' } }
    const left = writtenBy(api, changed).faults.map(keyOf)
    fill({ ...changed, faults: faults.filter((fault) => left.includes(keyOf(fault))) })
  }
  const faultAt = (at: string): string | undefined => {
    const found = faults.find((fault) => fault.at === at)
    return found && texts.reasons[found.reason]
  }
  const choose = ({ currentTarget: { value } }: Typed): void =>
    fill(reshaped(api, filled, forms.find(({ type }) => type === value) ?? form))
  const onSubmit = (event: { readonly preventDefault: () => void }): void => {
    event.preventDefault()
    show()
  }
  return html`<form novalidate onSubmit=${onSubmit}>
    <h3 id=${HEADING} tabindex="-1">${texts.fill}</h3>
    ${
      forms.length > 1 &&
      html`<div class="field">
        <label for="request-type">${texts.form}</label>
        <select id="request-type" value=${form.type} onChange=${choose}>
          ${forms.map(({ type }, index) => html`<option value=${type}>${index === 0 ? texts.newest(type) : type}</option>`)}
        </select>
      </div>`
    }
    <${FormField}
      key=${form.type}
      ...${{ editing: { api, faultAt, focus }, schema: form.parameters, label: texts.parameters }}
      at=${ROOT}
      isRequired=${true}
      state=${state}
      change=${change}
    />
    <div class="actions">
      <button type="submit">${texts.show}</button>
      ${fieldOf(api, form.parameters, true).kind !== 'json' && html`<${Switch} ...${{ api, filled, fill, focus }} />`}
    </div>
  </form>`
}

const keyOf = ({ at, reason }: Fault): string => `${reason} ${at}`

/** Changes between the form and JSON for all parameters. What was filled in is kept, also where it is not whole yet. */
const Switch = ({ api, filled, fill, focus }: Omit<FillingProps, 'forms' | 'show'>): Shown => {
  const { form, state } = filled
  const isText = state?.is === 'json'
  const change = (): void => {
    const { json, faults } = writtenBy(api, filled)
    focus(ROOT)
    if (!isText)
      return fill({ ...filled, state: { is: 'json', text: JSON.stringify(json ?? {}, null, 2) }, faults: [] })
    if (json !== undefined && faults.length > 0) return fill({ ...filled, faults })
    const next = reshaped(api, filled, form)
    return fill(next.state?.is === 'json' ? { ...filled, faults: [{ at: ROOT, reason: 'misfit' }] } : next)
  }
  return html`<button type="button" onClick=${change}>${isText ? texts.fillIn : texts.writeJson}</button>`
}

type CheckingProps = {
  readonly step: Step & { readonly is: 'body' }
  readonly send: (body: string) => Promise<void>
  readonly back: () => void
}

const Checking = ({ step: { body, isUnderWay = false, refusal }, send, back }: CheckingProps): Shown => html`
  <section>
    <h3 id=${HEADING} tabindex="-1">${texts.check}</h3>
    <p class="hint" id="request-body-hint">${texts.exactly}</p>
    <pre id="request-body" dir="ltr" tabindex="0" role="region" aria-labelledby=${HEADING}>${body}</pre>
    ${refusal !== undefined && html`<p class="error" role="alert">${escapedLine(refusal)}</p>`}
    ${refusal !== undefined && html`<p class="hint">${texts.resend}</p>`}
    <div class="actions">
      <button type="button" class="send" aria-disabled=${isUnderWay ? 'true' : undefined} onClick=${() => send(body)}>
        ${isUnderWay ? texts.sending : texts.send}
      </button>
      ${!isUnderWay && html`<button type="button" onClick=${back}>${texts.change}</button>`}
    </div>
  </section>
`

const sentShown = ({ id, status, type }: Submitted): Shown => html`
  <section>
    <h3 id=${HEADING} tabindex="-1">${texts.sent}</h3>
    <p role="status">${escapedLine(texts.statusOf(status) ?? '')}</p>
    <p class="hint">${escapedLine(type)}</p>
    <p><a href=${`#/activity/${encodeURIComponent(id)}`}>${texts.activity}</a></p>
    <p><a href="#/request">${texts.another}</a></p>
  </section>
`

const FOCUSABLE = 'input, select, textarea, button, [tabindex]'

/** Puts the keyboard on the element with an id, or on the first thing inside of it that takes it, after it was shown. */
const useFocus = (): ((id: string) => void) => {
  const wanted = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const element = wanted.current === undefined ? null : document.getElementById(wanted.current)
    wanted.current = undefined
    const target = element?.matches(FOCUSABLE) === true ? element : element?.querySelector<HTMLElement>(FOCUSABLE)
    target?.focus()
  })
  return (id) => {
    wanted.current = id
  }
}
