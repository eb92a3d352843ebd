import { useEffect, useState } from 'preact/hooks'

export type Polled<A> = {
  /** What was read last. */
  readonly value: A | undefined
  /** Why the last reading has failed. */
  readonly error: unknown
  /** Reads at once. */
  readonly again: () => void
}

const HIDDEN_MS = 30_000
const RETRY_MS = 2_000

/**
 * Reads again and again: every `shownMs` while the page is shown, every 30 s while it is hidden. What was read stays while the server does not
 * answer. `key` says what is read: with another one it begins anew.
 *
 * @param shownMs  undefined reads once, and again until it succeeds
 */
export const usePolled = <A>(
  key: string,
  shownMs: number | undefined,
  read: (signal: AbortSignal) => Promise<A>,
): Polled<A> => {
  const [state, setState] = useState<{ readonly key: string; readonly value?: A; readonly error?: unknown }>({ key })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    const isOver = (): boolean => ending.signal.aborted
    const look = async (): Promise<void> => {
      clearTimeout(timer)
      if (isReading || isOver()) return
      isReading = true
      let nextMs = shownMs
      try {
        const value = await read(ending.signal)
        if (!isOver()) setState({ key, value })
      } catch (error) {
        nextMs ??= RETRY_MS
        if (!isOver()) setState((before) => ({ ...(before.key === key ? before : { key }), error }))
      }
      isReading = false
      if (!isOver() && nextMs !== undefined) timer = setTimeout(() => void look(), document.hidden ? HIDDEN_MS : nextMs)
    }
    const whenShown = (): void => void (document.hidden || look())
    document.addEventListener('visibilitychange', whenShown)
    void look()
    return () => {
      ending.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', whenShown)
    }
  }, [key, shownMs, turn])
  const isOfKey = state.key === key
  return {
    value: isOfKey ? state.value : undefined,
    error: isOfKey ? state.error : undefined,
    again: () => setTurn((before) => before + 1),
  }
}
