/** A text in quotes, for a shell. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A text as one word of a shell, in quotes where it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : inQuotes(text))
