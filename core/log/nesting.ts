/** The deepest nesting of a line: real events have far less, and every recursive function can handle it. */
export const LINE_DEPTH_MAX = 100

/** Whether the text has enough brackets for a nesting of more than `LINE_DEPTH_MAX`. Nearly every line has fewer. */
export const mayBeDeep = (text: string): boolean => {
  let count = 0
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > LINE_DEPTH_MAX) return true
  }
  return false
}

export const isDeeperThan = (depth: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const member of Object.values(value)) if (isDeeperThan(depth - 1, member)) return true
  return false
}
