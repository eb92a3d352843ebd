import { useRef, useState } from 'preact/hooks'

export type Doing = {
  readonly isBusy: boolean
  /** Why the last one has failed. */
  readonly error: unknown
  /** Does something, unless something is under way. */
  readonly start: (act: () => Promise<void>) => void
}

/** One thing at a time, however often somebody clicks. */
export const useDoing = (): Doing => {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false })
  const isBusy = useRef(false) // set at once: a second click may come before the button is drawn anew
  const run = async (act: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true })
    try {
      await act()
      setState({ isBusy: false })
    } catch (error) {
      setState({ isBusy: false, error })
    }
    isBusy.current = false
  }
  return { isBusy: state.isBusy, error: state.error, start: (act) => void run(act) }
}
