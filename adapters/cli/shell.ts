/** A text in quotes, for a shell. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
