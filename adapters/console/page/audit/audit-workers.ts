/** Starts the worker that audits. Its script comes with the page: the policy of the page takes this one address, and no other. */
export const auditWorker = (): Worker => new Worker(trusted, { type: 'module' })

const address = (): string => new URL(AUDIT_WORKER, import.meta.url).href

/** Where there are Trusted Types, scripts are not loaded from text. */
const trusted = (window.trustedTypes
  ?.createPolicy('countersign-audit', { createScriptURL: address })
  .createScriptURL('') ?? address()) as string // the types of Worker know texts only
