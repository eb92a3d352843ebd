/*
 * What the command prints was often written by somebody else: names in a log, a server's answer, the name of a file. None of
 * it may steer the terminal or look like something else than it is. What would do that is printed as `\uXXXX`, a unit of
 * UTF-16 each.
 */

/**
 * Characters that a terminal obeys, that change the direction of writing, that end a line, that nobody sees, or that are no
 * characters: control, format, private use, unassigned, lone surrogates, separators of lines and paragraphs, zero width.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** One line of text. A line feed in it is escaped, too; a backslash only where it would be taken for an escape. */
export const escapedLine = (text: string): string =>
  text.replaceAll(/\\(?=u[0-9a-f]{4})/gi, escapeOf('\\')).replaceAll(UNSEEN, escapeOf)

/** JSON as text. It stays JSON of the same value: such characters stand nowhere but in its strings. */
export const escapedJson = (json: string): string =>
  json.replaceAll(UNSEEN, (character) => (character === '\n' ? character : escapeOf(character)))

const escapeOf = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => {
    const code = character.charCodeAt(unit).toString(16).padStart(4, '0')
    return `\\u${code}`
  }).join('')
