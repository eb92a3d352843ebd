import type { Json } from '../../../../core/failure.ts'
import { escapedJson } from '../../../inbox/escape.ts'

/**
 * The body of a request: the text that is shown, stamped and sent. Invisible characters are escaped, so that what is seen is all that is
 * there.
 */
export const requestBody = (request: {
  readonly type: string
  readonly timestampMs: number
  readonly organizationId: string
  readonly parameters: Json
}): string => {
  const { type, timestampMs, organizationId, parameters } = request
  return escapedJson(JSON.stringify({ type, timestampMs: String(timestampMs), organizationId, parameters }, null, 2))
}
