import { useState } from 'preact/hooks'
import { E } from '../../../../core/prelude.ts'
import { escapedLine } from '../../../inbox/escape.ts'
import { html, type Shown } from '../html.ts'
import type { Progress } from './audit-file.ts'
import { auditTexts as texts } from './audit-texts.ts'
import { knownOfText, type NotKnown } from './known-of-text.ts'
import { outcomeOf, ReportView } from './report-view.ts'
import { useAudit, type AuditState } from './use-audit.ts'

export type AuditViewProps = {
  /** Makes the worker whose code is `audit-worker.ts`. Called when the view opens, and after an audit was cancelled. */
  readonly makeWorker: () => Worker
}

/** A file of heads of 10,000 organizations has 2 MB. */
const KNOWN_BYTES_MAX = 10_000_000

/** Verifies an export that is chosen or dropped, in a worker, and shows the report. */
export const AuditView = ({ makeWorker }: AuditViewProps): Shown => {
  const { state, start, cancel } = useAudit(makeWorker)
  const [file, setFile] = useState<File>()
  const [isFileMissing, setFileMissing] = useState(false)
  const [known, setKnown] = useState('')
  const [notKnown, setNotKnown] = useState<NotKnown | 'unreadable'>()
  const isRunning = state._tag === 'progress'
  const choose = (chosen: File | undefined): void => {
    setFile(chosen)
    setFileMissing(false)
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (isRunning) return
    const read = knownOfText(known)
    setFileMissing(file === undefined)
    setNotKnown(E.isLeft(read) ? read.left : undefined)
    if (file !== undefined && E.isRight(read)) start({ file, known: read.right })
  }
  const type = (text: string): void => {
    setKnown(text)
    setNotKnown(undefined)
  }
  const readKnown = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return
    const text = chosen.size > KNOWN_BYTES_MAX ? undefined : await chosen.text().catch(() => undefined)
    if (text === undefined) return setNotKnown('unreadable')
    type(text)
    const read = knownOfText(text)
    if (E.isLeft(read)) setNotKnown(read.left)
  }
  return html`<section class="audit" aria-label=${texts.title}>
    <p>${texts.lead}</p>
    <form onSubmit=${submit}>
      <${FileField} file=${file} isMissing=${isFileMissing} onChosen=${choose} />
      <${KnownField} text=${known} wrong=${notKnown} onText=${type} onFile=${readKnown} />
      <button type="submit" aria-disabled=${isRunning}>${texts.verify}</button>
    </form>
    ${isRunning && html`<${Running} progress=${state} onCancel=${cancel} />`}
    <p class="audit-status" role="status">${statusOf(state)}</p>
    ${state._tag === 'report' && html`<${ReportView} report=${state.report} />`}
  </section>`
}

/** What is said aloud: the beginning and the end, not each step. */
const statusOf = (state: AuditState): string => {
  switch (state._tag) {
    case 'idle':
      return ''
    case 'cancelled':
      return texts.cancelled
    case 'progress':
      return texts.verifying
    case 'problem':
      return texts.problems[state.problem]
    case 'report':
      return outcomeOf(state.report)
    default:
      return state satisfies never
  }
}

type FileFieldProps = {
  readonly file: File | undefined
  readonly isMissing: boolean
  readonly onChosen: (file: File | undefined) => void
}

const FileField = ({ file, isMissing, onChosen }: FileFieldProps): Shown => {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent): void => {
    event.preventDefault() // otherwise the browser opens the file
    setOver(true)
  }
  const dropped = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    onChosen(event.dataTransfer?.files[0])
  }
  return html`<div
    class=${isOver ? 'field drop-zone drop-zone-over' : 'field drop-zone'}
    onDragOver=${over}
    onDragLeave=${() => setOver(false)}
    onDrop=${dropped}
  >
    <label for="audit-file">${texts.file}</label>
    <input
      id="audit-file"
      type="file"
      aria-invalid=${isMissing}
      aria-describedby="audit-file-hint audit-file-problem"
      onChange=${(event: Event) => onChosen(fileIn(event))}
    />
    <p id="audit-file-hint" class="hint">
      ${file === undefined ? texts.fileHint : texts.chosen(escapedLine(file.name), file.size)}
    </p>
    <p id="audit-file-problem" class="problem" role="alert">${isMissing && texts.noFile}</p>
  </div>`
}

type KnownFieldProps = {
  readonly text: string
  readonly wrong: NotKnown | 'unreadable' | undefined
  readonly onText: (text: string) => void
  readonly onFile: (file: File | undefined) => void
}

const KnownField = ({ text, wrong, onText, onFile }: KnownFieldProps): Shown =>
  html`<div class="field">
    <label for="audit-known">${texts.known}</label>
    <textarea
      id="audit-known"
      rows="3"
      spellcheck=${false}
      autocomplete="off"
      aria-invalid=${wrong !== undefined}
      aria-describedby="audit-known-hint audit-known-problem"
      value=${text}
      onInput=${(event: Event) => onText(event.target instanceof HTMLTextAreaElement ? event.target.value : '')}
    ></textarea>
    <p id="audit-known-hint" class="hint">${texts.knownHint}</p>
    <p id="audit-known-problem" class="problem" role="alert">${wrong !== undefined && texts.notKnown(wrong)}</p>
    <label for="audit-known-file">${texts.knownFile}</label>
    <input id="audit-known-file" type="file" onChange=${(event: Event) => onFile(fileIn(event))} />
  </div>`

const fileIn = ({ target }: Event): File | undefined =>
  target instanceof HTMLInputElement ? target.files?.[0] : undefined

type RunningProps = { readonly progress: Progress; readonly onCancel: () => void }

const Running = ({ progress: { lines, share }, onCancel }: RunningProps): Shown =>
  html`<div class="audit-progress">
    <progress max="1" value=${share} aria-label=${texts.progress}></progress>
    <span>${texts.progressLines(lines)}</span>
    <button type="button" onClick=${onCancel}>${texts.cancel}</button>
  </div>`
