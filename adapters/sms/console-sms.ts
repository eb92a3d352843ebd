import type { Sms } from '../../core/ports/sms.ts'
import { TE } from '../../core/prelude.ts'

/** Prints short messages in place of sending them: for trials on one's own machine. */
export const consoleSms = (print: (text: string) => void): Sms => {
  let printed = 0
  return {
    send: ({ to, text }) => {
      printed += 1
      print(`Short message to ${to}: ${text}`)
      return TE.right({ messageId: `console-${printed}` })
    },
  }
}
