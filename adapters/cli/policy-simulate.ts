import { isUuid } from '../../core/codec/codec.ts'
import { checkedText } from '../../core/policy-tools/check-policies.ts'
import { simulation, type DecisionDifference, type Simulation } from '../../core/policy-tools/simulate-policies.ts'
import type { ProposedPolicy } from '../../core/policy-tools/proposed-policies.ts'
import type { Reading } from '../../core/policy-tools/trial.ts'
import { E } from '../../core/prelude.ts'
import { knownResources } from './known-resources.ts'
import { millisOf, MOMENT } from './moment.ts'
import type { BesideFlags } from './open-store.ts'
import { printLines, printRecord } from './print.ts'
import { readText } from './read-text.ts'
import { readingLog } from './reading-log.ts'
import { linesOfDifference, linesOfSimulation } from './simulation-lines.ts'
import { resultOf, unusable } from './stop.ts'
import { withWalkPorts } from './walk-ports.ts'

export type PolicySimulateOptions = BesideFlags & {
  readonly store: string
  readonly policies: string
  readonly organization?: string
  readonly from?: string
  readonly to?: string
  readonly json?: boolean
  readonly resources?: string
}

/** Takes the decisions of a log again with other policies, and prints those that come out otherwise, and totals. */
export const policySimulate = async (options: PolicySimulateOptions): Promise<number> => {
  const { organization, json = false } = options
  if (organization !== undefined && !isUuid(organization)) throw unusable('expected a UUID after --organization')
  const [fromMs, toMs] = [momentOf('--from', options.from), momentOf('--to', options.to)]
  const catalogue = await knownResources(options.resources)
  const policies = await policiesIn(options.policies, catalogue)
  let inOrganization = organization?.toLowerCase()
  const totals: Simulation = await readingLog(options, ({ store }, progress) => {
    const tell = (difference: DecisionDifference): void => {
      progress.end()
      if (json) return printRecord(difference)
      const isOther = difference.organization !== inOrganization
      inOrganization = difference.organization
      printLines([...(isOther ? [`organization ${inOrganization}`] : []), ...linesOfDifference(difference)])
    }
    const period = { fromMs, toMs, organization: organization?.toLowerCase() }
    return withWalkPorts((ports) =>
      resultOf(
        simulation(store, catalogue, policies, {
          ...ports,
          ...period,
          onDifference: tell,
          onProgress: progress.passed,
        }),
      ),
    )
  })
  if (json) printRecord({ totals })
  else printLines(linesOfSimulation(totals))
  return 0
}

const momentOf = (flag: string, text: string | undefined): number | undefined => {
  const atMs = text === undefined ? undefined : millisOf(text)
  if (text !== undefined && atMs === undefined) throw unusable(`${flag}: expected ${MOMENT}`)
  return atMs
}

const policiesIn = async (file: string, known: Reading): Promise<readonly ProposedPolicy[]> => {
  const checked = checkedText(await readText(file), known)
  if (E.isLeft(checked)) throw unusable(`${file}: ${checked.left.message}`)
  const [mistake] = checked.right.mistakes
  if (mistake !== undefined)
    throw unusable(
      `${file}: policy ${mistake.policy?.number ?? 1}: ${mistake.message}; countersign policy check shows all mistakes`,
    )
  return checked.right.policies.map(({ policy }) => policy)
}
