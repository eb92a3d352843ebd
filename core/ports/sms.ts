import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/** A short message. @see Mail */
export type ShortMessage = {
  readonly organizationId: string
  /** In E.164, with a plus sign. */
  readonly to: string
  readonly text: string
}

/** Sends short messages. Operations name it as the port `sms`. It fails as a `Mailer` does. */
export interface Sms {
  readonly send: (message: ShortMessage) => TE.TaskEither<Failure, { readonly messageId: string }>
}
