/*
 * Somebody else often wrote the text that the command prints: names in a log, a server's answer, the name of a file. Such text must not
 * control the terminal, or look like another text. Characters that could do that are printed as `\uXXXX`, one for each unit of UTF-16.
 */

/**
 * Characters that control a terminal, change the direction of writing, end a line, are invisible, or are no characters: control, format,
 * private use, unassigned, lone surrogates, separators of lines and paragraphs, zero width.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Marks that stand on more of them than any language stacks: they would cover the lines above and below. */
const STACKED = /(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]/gu

/** Escapes one line of text. A line feed in it is escaped, too; a backslash only if it would look like an escape. */
export const escapedLine = (text: string): string =>
  text
    .replaceAll(/\\(?=u[0-9a-f]{4})/gi, escapeOf('\\'))
    .replaceAll(STACKED, escapeOf)
    .replaceAll(UNSEEN, escapeOf)

/** Escapes JSON. The result is JSON of the same value, because such characters stand only in its strings. */
export const escapedJson = (json: string): string =>
  json
    .replaceAll(STACKED, escapeOf)
    .replaceAll(UNSEEN, (character) => (character === '\n' ? character : escapeOf(character)))

const escapeOf = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => {
    const code = character.charCodeAt(unit).toString(16).padStart(4, '0')
    return `\\u${code}`
  }).join('')
