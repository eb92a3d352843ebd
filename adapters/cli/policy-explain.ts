import { isUuid } from '../../core/codec/codec.ts'
import { explanation } from '../../core/policy-tools/explain-decision.ts'
import { linesOfExplanation } from './explanation-lines.ts'
import { knownResources } from './known-resources.ts'
import type { BesideFlags } from './open-store.ts'
import { print, printStyled } from './print.ts'
import { readingLog } from './reading-log.ts'
import { resultOf, unusable } from './stop.ts'
import { withWalkPorts } from './walk-ports.ts'

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
  const { activity, organization, vote, json = false } = options
  for (const id of [activity, organization])
    if (id !== undefined && !isUuid(id)) throw unusable('expected a UUID after --activity and --organization')
  const catalogue = await knownResources(options.resources)
  const explained = await readingLog(options, ({ store }, progress) =>
    withWalkPorts(async (ports) =>
      resultOf(
        explanation(store, catalogue, activity.toLowerCase(), {
          ...ports,
          organization: organization?.toLowerCase(),
          vote,
          onProgress: progress.passed,
        }),
      ),
    ),
  )
  if (json) print(explained)
  else printStyled(linesOfExplanation(explained))
  return 0
}
