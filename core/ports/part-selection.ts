/** A list of part names, taken apart: the names themselves, and what ends in `:` or `.` and stands for all names that begin with it. */
export type PartSelection = { readonly names: readonly string[]; readonly prefixes: readonly string[] }

export const partSelection = (list: readonly string[]): PartSelection => ({
  names: list.filter((entry) => !isPrefix(entry)),
  prefixes: list.filter(isPrefix),
})

/** Whether a list of `ReadOptions.parts` selects the part of this name. */
export const selectsPart = (list: readonly string[], name: string): boolean =>
  list.some((entry) => (isPrefix(entry) ? name.startsWith(entry) : name === entry))

const isPrefix = (entry: string): boolean => entry.endsWith(':') || entry.endsWith('.')
