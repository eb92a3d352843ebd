/**
 * Characters that nothing which the command prints may hold, by number and not by the classes of Unicode that the command
 * goes by: controls but the line feed, marks of direction, separators, what has no width, halves of pairs.
 */
const UNSEEN: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
]

/** Whether a terminal shows the text as it is. */
export const seenOnly = (text: string): boolean => {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (UNSEEN.some(([first, last]) => code >= first && code <= last)) return false
  }
  return true
}

/** Clears the screen, writes from right to left, and says in a line of its own what the command might say. */
export const HOSTILE = '\u001b[2J\u009b1A\u202eeverything holds\u2066\u200b\u2028\ufeff\u007f'
