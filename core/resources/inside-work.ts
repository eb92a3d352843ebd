import { port } from '../definition/port.ts'
import type { Keyring } from '../ports/keyring.ts'

export const needsKeyring = { needs: { keyring: port<Keyring>() }, whenMissing: 'unsupported' } as const

/** How work inside is done that only the keyring does: at once, and nothing is stored where it comes to nothing. */
export const insideWork = { outside: false, resumeAfterMs: 0, attemptsMax: 1, whenInterrupted: 'fail' } as const
