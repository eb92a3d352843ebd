/**
 * The name that looks most like a wrong one: with the least letters added, left out, changed or swapped, at most one for each three
 * letters. Capitals and underscores do not count, so that `gasPrice` finds `gas_price`.
 */
export const nearestOf = (wrong: string, names: Iterable<string>): string | undefined => {
  const plain = plainOf(wrong)
  if (plain.length === 0 || plain.length > LENGTH_MAX) return undefined
  let best: string | undefined
  let least = Math.floor(plain.length / 3) + 1
  for (const name of names) {
    if (name === wrong) continue
    const other = plainOf(name)
    if (Math.abs(other.length - plain.length) >= least) continue
    const distance = distanceOf(plain, other)
    if (distance >= least) continue
    least = distance
    best = name
  }
  return best
}

/** A longer name is compared with none, because the time grows with the square of the length. */
const LENGTH_MAX = 40

const plainOf = (name: string): string => name.toLowerCase().replaceAll('_', '')

/** The number of letters to add, leave out, change or swap with the next one. */
const distanceOf = (a: string, b: string): number => {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      let least = Math.min(changed, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1)
      next.push(least)
    }
    before = last
    last = next
  }
  return last[b.length] ?? 0
}
