/** The form of a date on the command line and in its files, for messages. */
export const MOMENT = 'a date such as 2026-11-21T09:30:00Z'

/** The milliseconds of a date in RFC 3339; `undefined` for any other text. */
export const millisOf = (text: string): number | undefined => {
  const atMs = RFC3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/
