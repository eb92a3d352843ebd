import { useEffect, useState } from 'preact/hooks'
import { escapedLine } from '../../../inbox/escape.ts'
import type { Server } from '../server/server.ts'
import { texts } from '../texts.ts'
import { forget, keptKey, type Kept } from './kept-key.ts'
import { resumed, signOut, type Session } from './session.ts'
import { hear, tell } from './tabs.ts'

export type Signing = {
  readonly session: Session | undefined
  /** Whether a kept key is being tried. */
  readonly isStarting: boolean
  /** Why the holder of a kept key was not signed in. */
  readonly error: unknown
  /** What happened meanwhile, in words. */
  readonly notice: string | undefined
  readonly signedIn: (session: Session) => void
  readonly signOut: () => void
  readonly forgetKept: () => void
}

type State = Pick<Signing, 'session' | 'isStarting' | 'error' | 'notice'> & { readonly kept?: Kept | undefined }

const NOBODY: State = { session: undefined, isStarting: false, error: undefined, notice: undefined }

/** Who is signed in: in this tab, whatever other tabs do. */
export const useSession = (server: Server): Signing => {
  const [state, setState] = useState<State>({ ...NOBODY, isStarting: true })
  const { session } = state
  useEffect(() => void start(server).then(setState), [])
  useEffect(() => {
    if (session === undefined) return undefined
    const { key, endsAtMs } = session
    const over = (notice: string): void => void signOut(session).then(() => setState({ ...NOBODY, notice }))
    const timer =
      endsAtMs === undefined ? undefined : setTimeout(() => over(texts.who.ended), Math.max(0, endsAtMs - Date.now()))
    const deaf = hear(server.url, (told) => {
      if (told.kind === 'out' && told.publicKey === key.publicKey) over(texts.who.outElsewhere)
      if (told.kind === 'in' && told.publicKey !== key.publicKey)
        setState((before) => ({ ...before, notice: texts.who.otherTab(escapedLine(told.who.slice(0, 100))) }))
    })
    return () => {
      clearTimeout(timer)
      deaf()
    }
  }, [session])
  return {
    ...state,
    signedIn: (session) => {
      tell(server.url, { kind: 'in', publicKey: session.key.publicKey, who: session.userName })
      setState({ ...NOBODY, session })
    },
    signOut: () => void (session && leave(session).then(() => setState(NOBODY))),
    forgetKept: () => {
      if (state.kept !== undefined) void forget(server.url, state.kept.key.publicKey).then(() => setState(NOBODY))
    },
  }
}

const leave = async (session: Session): Promise<void> => {
  await signOut(session)
  tell(session.server.url, { kind: 'out', publicKey: session.key.publicKey })
}

const start = async (server: Server): Promise<State> => {
  const kept = await keptKey(server.url, Date.now())
  if (kept === undefined) return NOBODY
  try {
    return { ...NOBODY, session: await resumed(server, kept) }
  } catch (error) {
    return { ...NOBODY, error, kept }
  }
}
