/** A text in quotes, for a shell. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A word for a shell, in quotes if it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : inQuotes(text))
