import type { Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { TellNotice } from '../ports/notice.ts'
import { E, type TE } from '../prelude.ts'
import type { Doorkeeper } from './doorkeeper.ts'

type Ports = { readonly clock: Clock; readonly notice: TellNotice; readonly gate: Pick<Doorkeeper, 'isClosed'> }

/** Repeats the search until it succeeds: if the store does not answer at the start, interrupted effects must not wait for ever. */
export const resumeInterrupted = async (
  { clock, notice, gate }: Ports,
  takeUp: TE.TaskEither<Failure, void>,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const taken = await takeUp()
    if (E.isRight(taken) || gate.isClosed()) return
    const { code, message } = taken.left
    if (tries === 1)
      notice({ level: 'error', message: `cannot look for interrupted effects yet: ${message}`, context: { code } })
    await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_AFTER_MS, resolve))
  }
}

const LOOK_AGAIN_AFTER_MS = 1_000
