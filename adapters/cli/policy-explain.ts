import { isUuid } from '../../core/codec/codec.ts'
import { explanation } from '../../core/policy-tools/explain-decision.ts'
import { nodeContainer, tokens } from '../container.ts'
import { fileScratch } from '../scratch/file-scratch.ts'
import { linesOfExplanation } from './explanation-lines.ts'
import { leaveAtSignal } from './interruption.ts'
import { knownResources } from './known-resources.ts'
import { close, openToRead, type BesideFlags } from './open-store.ts'
import { print, printStyled } from './print.ts'
import { progressBar } from './progress.ts'
import { resultOf, unusable } from './stop.ts'

export type PolicyExplainOptions = BesideFlags & {
  readonly store: string
  readonly activity: string
  readonly organization?: string
  readonly vote?: number
  readonly json?: boolean
  readonly resources?: string
}

/** Prints why a decision on an activity came out as it did. */
export const policyExplain = async (options: PolicyExplainOptions): Promise<number> => {
  const { store, activity, organization, vote, json = false } = options
  for (const id of [activity, organization])
    if (id !== undefined && !isUuid(id)) throw unusable('expected a UUID after --activity and --organization')
  const catalogue = await knownResources(options.resources)
  const storage = await openToRead(store, options)
  const stay = leaveAtSignal()
  const scratch = fileScratch()
  const parts = nodeContainer()
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH, 'events')
  try {
    const explained = await resultOf(
      explanation(storage.store, catalogue, activity.toLowerCase(), {
        scratch,
        attestations: parts.resolve(tokens.attestations),
        clock: parts.resolve(tokens.clock),
        organization: organization?.toLowerCase(),
        vote,
        onProgress: progress.passed,
      }),
    )
    progress.end()
    if (json) print(explained)
    else printStyled(linesOfExplanation(explained))
    return 0
  } finally {
    progress.end()
    stay()
    scratch.close()
    await close(storage)
  }
}

const MUCH = 5_000n
