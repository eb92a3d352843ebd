/** One promise of a port, as a test that any runner can run. */
export type ContractCase = {
  /** Names the promise, in every version: numbers are not given twice. */
  readonly number: string
  /** A sentence in the present tense. */
  readonly name: string
  /** What an adapter must be able to do for the promise to make sense. */
  readonly tags: readonly string[]
  /** Why this adapter is let off; `run` then does nothing. */
  readonly leftOut?: string
  /** Resolves when the promise is kept, rejects with what was seen instead. */
  readonly run: () => Promise<void>
}

export type ContractResult = {
  readonly case: ContractCase
  readonly outcome: 'kept' | 'broken' | 'left out'
}

/** Runs one case, for runners that want its outcome rather than an exception. */
export const resultOf = async (contractCase: ContractCase): Promise<ContractResult> => {
  if (contractCase.leftOut !== undefined) return { case: contractCase, outcome: 'left out' }
  try {
    await contractCase.run()
    return { case: contractCase, outcome: 'kept' }
  } catch {
    return { case: contractCase, outcome: 'broken' }
  }
}

/** The results as a Markdown table, as it stands on an adapter's page. */
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
