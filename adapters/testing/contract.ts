/** One promise of a port, as a test that any runner can run. */
export type ContractCase = {
  /** Identifies the promise in every version: a number is never used again. */
  readonly number: string
  /** A sentence in the present tense. */
  readonly name: string
  /** The abilities that an adapter needs for this case. */
  readonly tags: readonly string[]
  /** Why the case is left out for this adapter; then `run` does nothing. */
  readonly leftOut?: string
  /** Resolves if the promise is kept; otherwise rejects with the difference. */
  readonly run: () => Promise<void>
}

export type ContractResult = {
  readonly case: ContractCase
  readonly outcome: 'kept' | 'broken' | 'left out'
}

/** Runs one case, and gives its outcome as a value. */
export const resultOf = async (contractCase: ContractCase): Promise<ContractResult> => {
  if (contractCase.leftOut !== undefined) return { case: contractCase, outcome: 'left out' }
  try {
    await contractCase.run()
    return { case: contractCase, outcome: 'kept' }
  } catch {
    return { case: contractCase, outcome: 'broken' }
  }
}

/** The results as a Markdown table, for an adapter's page. */
export const contractTable = (results: readonly ContractResult[]): string =>
  [
    '| case | promise | needs | outcome |',
    '|---|---|---|---|',
    ...results.map(({ case: { number, name, tags, leftOut }, outcome }) => {
      const reason = leftOut === undefined ? outcome : `${outcome}: ${leftOut}`
      return `| ${number} | ${name} | ${tags.join(', ')} | ${reason} |`
    }),
    '',
  ].join('\n')
