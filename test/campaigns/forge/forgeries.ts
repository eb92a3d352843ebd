import { withHost } from '../../core/world/with-host.ts'
import { isDeepStrictEqual } from 'node:util'
import { audit } from '../../../core/audit/audit.ts'
import type { AuditOptions, AuditReport } from '../../../core/audit/report.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { draftsOf, forged, type Draft } from '../../core/audit/forgery.ts'
import { digest, linesOf } from '../../core/audit/logs.ts'
import { random as randomOf } from '../simulate/random.ts'
import { simulatedSignatures } from '../simulate/simulated-signatures.ts'
import { right } from '../../core/world/world.ts'
import { differenceFromHistory } from './another-history.ts'
import { forge } from './forger.ts'
import { randomHistory, type RandomHistory } from './random-history.ts'
import { simulatedAttestations } from '../simulate/simulated-passkeys.ts'
import { serviceOperations } from './service-operations.ts'

/** What became of forgeries. Nothing may be missed. */
export type Forged = {
  /** The audit complained. */
  found: number
  /** What was done came to nothing. */
  unchanged: number
  /** The audit did not complain: it is what an engine writes that is sent the same requests, at other times or not all of them. */
  anotherHistory: number
  /** The audit did not complain, and should have. */
  readonly missed: string[]
}

const FORGERIES_PER_LOG = 25

/** Makes so many forgeries of random honest logs, from a seed, and audits each of them. */
export const forgeries = async (
  firstSeed: number,
  cases: number,
  onProgress: (cases: number) => void = () => undefined,
): Promise<Forged> => {
  const forged: Forged = { found: 0, unchanged: 0, anotherHistory: 0, missed: [] }
  for (let seed = firstSeed, made = 0; made < cases; seed += 1) {
    const random = randomOf(seed)
    const honest = await randomHistory(seed, {
      requests: 10 + random.below(60),
      organizations: 1 + random.below(2),
      jumps: random.chance(0.5) ? 0 : 0.03,
      restarts: 0.04,
      erasures: random.chance(0.5),
    })
    const known = await knownOf(honest)
    const drafts = draftsOf(honest.text)
    for (let n = 0; n < FORGERIES_PER_LOG && made < cases; n += 1, made += 1) {
      await judge(forged, `seed ${seed}, forgery ${n + 1}`, honest, known, forge(random, drafts))
      onProgress(made + 1)
    }
  }
  return forged
}

/** What an auditor knows of the log, and where it ends. */
type Known = { readonly options: AuditOptions; readonly heads: NonNullable<AuditOptions['heads']> }

const knownOf = async (honest: RandomHistory): Promise<Known> => {
  const { text, limits, erased, clockLagMaxMs } = honest
  const options: AuditOptions = { limits, erasedMax: erased, clockLagMaxMs }
  const report = await audited(text, options)
  const { organizations } = report
  const findings = report.findings
  if (findings.length > 0) throw new Error(`an honest log has findings: ${describe(findings)}`)
  const pins = new Map(organizations.map(({ organization, genesis = '' }) => [organization, genesis]))
  return { options: { ...options, pins }, heads: organizations }
}

const judge = async (
  into: Forged,
  name: string,
  history: RandomHistory,
  { options, heads }: Known,
  { done, drafts }: { readonly done: readonly string[]; readonly drafts: readonly Draft[] },
): Promise<void> => {
  const text = forged(drafts)
  if (isDeepStrictEqual(logsIn(text), logsIn(history.text))) return void (into.unchanged += 1)
  if ((await audited(text, options)).findings.length > 0) return void (into.found += 1)
  const difference = await differenceFromHistory(drafts)
  const { findings } = await audited(text, { ...options, heads })
  const complaint = difference ?? (findings.length > 0 ? undefined : 'it is found by none of the heads that are known')
  if (complaint === undefined) into.anotherHistory += 1
  else into.missed.push(`${name} (${done.join(', ')}): ${complaint}`)
}

/** The lines of each organization: how those of several stand among each other means nothing. */
const logsIn = (text: string): ReadonlyMap<string, readonly string[]> => {
  const logs = new Map<string, string[]>()
  let log: string[] = []
  for (const line of linesOf(text)) {
    const { organization } = JSON.parse(line) as { readonly organization?: string } // our own export
    if (organization !== undefined) log = logs.get(organization) ?? []
    if (organization !== undefined) logs.set(organization, log)
    log.push(line)
  }
  return logs
}

export const audited = (text: string, options: AuditOptions): Promise<AuditReport> =>
  audit(
    {
      signatures: simulatedSignatures,
      attestations: simulatedAttestations,
      ids: nodeIds(),
      catalogue: everything,
    },
    readTranscript(digest, [encodeUtf8(text)]),
    options,
  )

export const describe = (findings: AuditReport['findings']): string =>
  findings.map(({ line, code, message }) => `line ${line}: ${code}: ${message}`).join('\n')

const everything = right(
  catalogue([...withHost(serviceOperations(() => Promise.reject(new Error('not asked')))), ...erasure]),
)
