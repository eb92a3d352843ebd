/** A table of results, for people and, in Markdown, for the docs. */
export type Table = {
  readonly title: string
  /** What was compared with what, and how. */
  readonly says: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** Told what is being measured. */
export type Progress = (text: string) => void

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which that share of the values lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The median of the ratios round by round: what others do on the machine meanwhile concerns both alike. */
export const ratio = (values: readonly number[], base: readonly number[]): string =>
  median(values.map((value, index) => value / (base[index] ?? Number.NaN))).toFixed(2)

export const rate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en-US')
export const ms = (milliseconds: number): string => milliseconds.toFixed(milliseconds < 10 ? 2 : 0)
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`

export const markdown = ({ title, says, columns, rows }: Table): string =>
  [
    `## ${title}`,
    '',
    says,
    '',
    `| ${columns.join(' | ')} |`,
    `| ${columns.map((_, index) => (index === 0 ? '---' : '---:')).join(' | ')} |`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n')

/**
 * Measures variants in turn, several rounds, each second round in reverse: what changes slowly on the machine meets all of
 * them.
 */
export const rounds = async <A>(
  count: number,
  variants: readonly { readonly name: string; readonly measure: () => Promise<A> }[],
): Promise<ReadonlyMap<string, readonly A[]>> => {
  const measured = new Map<string, A[]>(variants.map(({ name }) => [name, []]))
  for (let round = 0; round < count; round += 1) {
    for (const { name, measure } of round % 2 === 0 ? variants : variants.toReversed())
      measured.get(name)?.push(await measure())
  }
  return measured
}

/** How often per second something can be done, one after the other, for so long. */
export const perSecond = async (forMs: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  let count = 0
  while (performance.now() - startedAt < forMs) {
    await work()
    count += 1
  }
  return (count / (performance.now() - startedAt)) * 1000
}
