import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { pageOf, pagination } from '../pagination.ts'
import { normalContact } from '../verification/contact.ts'
import { emailEvents } from './email-events.ts'

const SENT = 'SENT'

/** What becomes of a mail behind its server, nobody tells us: all events are of one type. */
export const listEmailEvents = query({
  path: 'list_email_events',
  summary: 'Lists the mails that were sent to an address, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid, email: t.Email },
    { eventType: t.TextOrEmpty, paginationOptions: pagination('a mail') },
  ),
  answer: t.fields({
    emailEvents: t.readonlyArray(
      t.named(
        'EmailEvent',
        t.fields({
          id: t.Uuid,
          organizationId: t.Uuid,
          messageId: t.string,
          eventType: t.string,
          fromAddress: t.string,
          toAddress: t.string,
          timestamp: t.string,
          createdAt: t.string,
          details: t.fields({}),
        }),
      ),
    ),
  }),
  run: async ({ email, eventType, paginationOptions = {} }, { organization, row, rows, nameOf }) => {
    const name = nameOf(normalContact({ otpType: 'OTP_TYPE_EMAIL', contact: email }))
    if (name === undefined || (eventType && eventType !== SENT)) return { emailEvents: [] }
    const page = await pageOf(paginationOptions, 'a mail', async (id) => {
      const found = await row(emailEvents, id)
      return found && BigInt(found.place)
    })
    const found = await rows(emailEvents, { ...page, first: [name] })
    const shown = found.map(({ id, messageId, from, atMs }) => ({
      id,
      organizationId: organization.organizationId,
      messageId,
      eventType: SENT,
      fromAddress: from,
      toAddress: email,
      timestamp: new Date(atMs).toISOString(),
      createdAt: new Date(atMs).toISOString(),
      details: {},
    }))
    return { emailEvents: page.ascending ? shown.toReversed() : shown }
  },
})
