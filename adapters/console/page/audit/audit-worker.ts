import { auditFile, type Known, type Outcome, type Progress } from './audit-file.ts'

/** What the worker is asked: one file at a time. It answers with progress, then with one outcome. */
export type AuditRequest = { readonly file: Blob; readonly known: Known }
export type AuditAnswer = Progress | Outcome

// In a worker it takes no origin: only the page that made it hears it.
const answer = (given: AuditAnswer): void => globalThis.postMessage(given, {})

globalThis.addEventListener('message', ({ data }: MessageEvent<AuditRequest>) => {
  void auditFile(data.file, data.known, answer).then(answer, (error: unknown) => globalThis.reportError(error))
})
