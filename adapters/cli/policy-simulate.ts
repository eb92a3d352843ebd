import { isUuid } from '../../core/codec/codec.ts'
import { checkedText } from '../../core/policy-tools/check-policies.ts'
import { simulation, type DecisionDifference, type Simulation } from '../../core/policy-tools/simulate-policies.ts'
import type { ProposedPolicy } from '../../core/policy-tools/proposed-policies.ts'
import type { Reading } from '../../core/policy-tools/trial.ts'
import { E } from '../../core/prelude.ts'
import { nodeContainer, tokens } from '../container.ts'
import { fileScratch } from '../scratch/file-scratch.ts'
import { leaveAtSignal } from './interruption.ts'
import { knownResources } from './known-resources.ts'
import { millisOf, MOMENT } from './moment.ts'
import { close, openToRead, type BesideFlags } from './open-store.ts'
import { printLines, printRecord } from './print.ts'
import { progressBar } from './progress.ts'
import { readText } from './read-text.ts'
import { linesOfDifference, linesOfSimulation } from './simulation-lines.ts'
import { resultOf, unusable } from './stop.ts'

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
  const { store, organization, json = false } = options
  if (organization !== undefined && !isUuid(organization)) throw unusable('expected a UUID after --organization')
  const [fromMs, toMs] = [momentOf('--from', options.from), momentOf('--to', options.to)]
  const catalogue = await knownResources(options.resources)
  const policies = await policiesIn(options.policies, catalogue)
  const storage = await openToRead(store, options)
  const stay = leaveAtSignal()
  const scratch = fileScratch()
  const parts = nodeContainer()
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH, 'events')
  let inOrganization = organization?.toLowerCase()
  const tell = (difference: DecisionDifference): void => {
    progress.end()
    if (json) return printRecord(difference)
    const isOther = difference.organization !== inOrganization
    inOrganization = difference.organization
    printLines([...(isOther ? [`organization ${inOrganization}`] : []), ...linesOfDifference(difference)])
  }
  try {
    const totals: Simulation = await resultOf(
      simulation(storage.store, catalogue, policies, {
        scratch,
        attestations: parts.resolve(tokens.attestations),
        clock: parts.resolve(tokens.clock),
        organization: organization?.toLowerCase(),
        fromMs,
        toMs,
        onDifference: tell,
        onProgress: progress.passed,
      }),
    )
    progress.end()
    if (json) printRecord({ totals })
    else printLines(linesOfSimulation(totals))
    return 0
  } finally {
    progress.end()
    stay()
    scratch.close()
    await close(storage)
  }
}

const MUCH = 5_000n

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
