/** The name of the worker that audits, beside the script of the page: the build puts it in. */
declare const AUDIT_WORKER: string

/** What the core uses where the runtime has it. */
interface ErrorConstructor {
  stackTraceLimit: number
  captureStackTrace: (target: object, above?: unknown) => void
}

interface Window {
  readonly trustedTypes?: {
    readonly createPolicy: (
      name: string,
      rules: { readonly createScriptURL: () => string },
    ) => { readonly createScriptURL: (text: string) => object }
  }
}
