/** Numbers and times for people. */

/** A number with its thing: `1 event`, `12,345 events`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** A number of bytes in its largest unit: `999 B`, `1.5 kB`, `12 MB`. */
export const bytesText = (bytes: number): string => {
  let [value, unit] = [bytes, 0]
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit] ?? ''}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** A length of time in its largest unit: `5 s`, `3 min`, `2 h`, `4 d`. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400).toLocaleString('en')} d`
}
