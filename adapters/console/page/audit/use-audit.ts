import { useEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from './audit-file.ts'
import type { AuditAnswer, AuditRequest } from './audit-worker.ts'

export type AuditState =
  | { readonly _tag: 'idle' | 'cancelled' }
  | Exclude<AuditAnswer, { readonly _tag: 'problem' }>
  | { readonly _tag: 'problem'; readonly problem: Problem | 'broken' }

/** An audit in a worker, which is made when the view opens: from then on nothing has to be loaded. */
export const useAudit = (makeWorker: () => Worker) => {
  const [state, setState] = useState<AuditState>({ _tag: 'idle' })
  const worker = useRef<Worker | undefined>(undefined)
  const drop = (): void => {
    worker.current?.terminate()
    worker.current = undefined
  }
  const made = (): Worker | undefined => {
    try {
      const one = makeWorker()
      one.addEventListener('message', ({ data }: MessageEvent<AuditAnswer>) => {
        if (worker.current === one) setState(data) // what a dropped one has sent may still arrive
      })
      one.addEventListener('error', () => {
        if (worker.current !== one) return
        drop()
        setState((now) => (now._tag === 'progress' ? BROKEN : now))
      })
      return one
    } catch {
      return undefined
    }
  }
  useEffect(() => {
    worker.current = made()
    return drop
  }, [])
  return {
    state,
    start: (request: AuditRequest): void => {
      worker.current ??= made()
      setState(worker.current === undefined ? BROKEN : { _tag: 'progress', lines: 0, share: 0 })
      worker.current?.postMessage(request)
    },
    cancel: (): void => {
      drop()
      worker.current = made()
      setState({ _tag: 'cancelled' })
    },
  }
}

const BROKEN: AuditState = { _tag: 'problem', problem: 'broken' }
