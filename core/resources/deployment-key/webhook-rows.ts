/* The sealed rows of webhooks. That of a key says since when it is there, in milliseconds; the first key signs from 0 on. */

export const ROW = 'webhook.'
export const SECRET = 'webhook-secret'

export const webhookRow = (sinceMs: number): string => `${ROW}${sinceMs}`

/** The rows that the first start makes. */
export const WEBHOOK_ROWS: readonly string[] = [webhookRow(0), SECRET]
