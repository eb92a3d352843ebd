import { failure, type Failure } from '../../core/failure.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Sms } from '../../core/ports/sms.ts'
import { E } from '../../core/prelude.ts'
import { boundedPerOrganization } from '../../core/ports/at-once.ts'

export type TwilioSmsOptions = {
  /** `https://account:token@host/?From=%2B15005550006`: account, token and the number, or `MessagingServiceSid`, that messages are from. */
  readonly url: string
  /** By which it gives up: `systemClock()`. */
  readonly clock: Clock
  /** The function that sends. Default: that of Node. */
  readonly fetch?: typeof fetch | undefined
}

/** Whoever waits for the answer has it within ten seconds, whatever else there is to do. */
const GIVE_UP_MS = 9_000

/** Sends short messages by the message resource of Twilio, or of whoever answers alike. */
export const twilioSms = ({ url, clock, fetch: send = fetch }: TwilioSmsOptions): Sms => {
  const given = new URL(url)
  const account = decodeURIComponent(given.username)
  const secret = Buffer.from(`${account}:${decodeURIComponent(given.password)}`).toString('base64')
  const place = new URL(`/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`, given.origin)
  const bounded = boundedPerOrganization()

  return {
    send: ({ organizationId, to, text }) =>
      bounded(organizationId, async () => {
        const abort = new AbortController()
        const callOff = clock.after(GIVE_UP_MS, () => abort.abort())
        try {
          const answer = await send(place, {
            method: 'POST',
            headers: {
              authorization: `Basic ${secret}`,
              'content-type': 'application/x-www-form-urlencoded',
            },
            body: new URLSearchParams([...given.searchParams, ['To', to], ['Body', text]]).toString(),
            redirect: 'error',
            signal: abort.signal,
          })
          return await outcomeOf(answer)
        } catch {
          return E.left(away) // what was thrown may quote the URL
        } finally {
          callOff()
        }
      }),
  }
}

const away = failure('UNAVAILABLE', 'the service for short messages does not answer; the message may have gone')
const refused = failure('REQUEST_INVALID', 'the service for short messages takes none for this number')

/** Statuses that say something of the message; others are of the account, or of the service. */
const OF_MESSAGE = 400

const outcomeOf = async (answer: Response): Promise<E.Either<Failure, { readonly messageId: string }>> => {
  if (!answer.ok) {
    await answer.body?.cancel()
    return E.left(answer.status === OF_MESSAGE ? refused : away)
  }
  const { sid } = (await answer.json()) as { readonly sid?: unknown }
  return E.right({ messageId: typeof sid === 'string' ? sid : '' })
}
