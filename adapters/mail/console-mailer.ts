import type { Mailer } from '../../core/ports/mailer.ts'
import { TE } from '../../core/prelude.ts'
import { contentOf } from './mail-content.ts'

/** Prints mails in place of sending them: for trials on one's own machine. */
export const consoleMailer = (print: (text: string) => void): Mailer => {
  let printed = 0
  return {
    send: (mail) => {
      const { subject, text } = contentOf(mail, undefined)
      printed += 1
      print(`Mail to ${mail.to}: ${subject}\n\n${text}`)
      return TE.right({ messageId: `<${printed}@console>`, from: 'console' })
    },
  }
}
