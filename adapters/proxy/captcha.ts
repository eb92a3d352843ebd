import * as t from '../../core/codec/t.ts'
import { refuse } from '../../core/definition/refuse.ts'
import type { TellNotice } from '../../core/ports/notice.ts'
import { boundedText } from '../client/bounded-text.ts'

/** What examines captchas, in the form that Turnstile and reCAPTCHA have. */
export type CaptchaService = {
  /** Such as `https://challenges.cloudflare.com/turnstile/v0/siteverify`. */
  readonly url: string
  readonly secret: string
  /** Clients show the captcha by it. */
  readonly siteKey?: string | undefined
}

export type CaptchaOptions = {
  readonly service: CaptchaService
  readonly fetch: typeof fetch
  /** Ends a question that takes too long. */
  readonly timeLimit: () => AbortSignal
  readonly onNotice: TellNotice
}

/** Whether somebody has solved a captcha. @throws a refusal if not */
export type Captcha = (token: string | undefined, address: string | null) => Promise<void>

/** If the service does not answer, the request goes on: otherwise nobody could sign in while it is away. */
export const captchas = ({ service: { url, secret }, fetch: send, timeLimit, onNotice }: CaptchaOptions): Captcha => {
  const isSolved = async (token: string, address: string | null): Promise<boolean> => {
    const body = new URLSearchParams({ secret, response: token, ...(address === null ? {} : { remoteip: address }) })
    try {
      const response = await send(url, { method: 'POST', body, redirect: 'manual', signal: timeLimit() })
      const text = await boundedText(response, ANSWER_BYTES_MAX)
      const { success, 'error-codes': reasons = [] } = answerIn(text ?? '')
      if (success || !reasons.some((reason) => OF_THE_SERVICE.has(reason))) return success
    } catch {
      // Its error could name what was sent.
    }
    onNotice(AWAY)
    return true
  }
  return async (token, address) => {
    if (token === undefined || token === '')
      throw refuse('REQUEST_INVALID', 'X-Captcha-Token header is required when captcha is enabled')
    if (!(await isSolved(token, address))) throw refuse('REQUEST_NOT_AUTHORIZED', 'captcha verification failed')
  }
}

const ANSWER_BYTES_MAX = 64 * 1024

/** Reasons that are no fault of whoever has solved the captcha. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['internal-error', 'missing-input-secret', 'invalid-input-secret'])

const AWAY = {
  level: 'warn',
  message: 'the service that examines captchas has given no answer, or not taken the secret: requests go on without',
} as const

const Answer = t.fields({ success: t.boolean }, { 'error-codes': t.array(t.string) })

const answerIn = (text: string): t.TypeOf<typeof Answer> => {
  const read = Answer.decode(JSON.parse(text))
  if (read._tag === 'Left') throw new Error('not an answer about a captcha')
  return read.right
}
