import * as t from '../../codec/t.ts'
import { parseJson } from '../../json/parse-json.ts'
import { oneOf } from '../wallet/key-codecs.ts'

/** What an endpoint can be told of. Only `ACTIVITY_UPDATES` is told yet. */
export const eventTypes = [
  'ACTIVITY_UPDATES',
  'BALANCE_CONFIRMED_UPDATES',
  'BALANCE_FINALIZED_UPDATES',
  'SEND_TRANSACTION_STATUS_UPDATES',
] as const

/** Some hundred ids of organizations. */
const FILTERS_LENGTH_MAX = 16_384

const isObjectText = (text: string): boolean => {
  if (text.length > FILTERS_LENGTH_MAX) return false
  try {
    const read = parseJson(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read)
  } catch {
    return false
  }
}

/** What an endpoint wants to be told. The text of its filters is shown as it came. */
export const Subscription = t.named(
  'WebhookSubscription',
  t.fields(
    { eventType: oneOf(eventTypes) },
    {
      filtersJson: t.refined(
        t.string,
        `the text of a JSON object, of at most ${FILTERS_LENGTH_MAX} characters`,
        isObjectText,
      ),
      isActive: t.boolean,
    },
  ),
)
export type Subscription = t.TypeOf<typeof Subscription>
