import { listEmailEvents } from '../../../../core/resources/email-event/list-email-events.ts'
import { initOtp } from '../../../../core/resources/otp/init-otp.ts'
import { asking } from '../example.ts'

export const examples = [
  asking(
    listEmailEvents,
    async ({ made, text }) => {
      const email = `${text('email')}@example.com`
      await made(initOtp, { members: { contact: email } })
      return {
        request: { email, eventType: 'SENT', paginationOptions: { limit: '10' } },
        shows: { emailEvents: [{ eventType: 'SENT', toAddress: email }] },
      }
    },
    { refused: [{ email: 'nobody' }, 'REQUEST_INVALID'] },
  ),
]
