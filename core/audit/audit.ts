import type { Finding } from '../log/finding.ts'
import { transcriptCheck, type Logged } from '../log/transcript-check.ts'
import type { TranscriptEntry } from '../log/transcript-reader.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import { rulesVersions, type RulesVersion } from '../policy/rules.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { ReadModels } from '../ports/read-models.ts'
import type { Scratch } from '../ports/scratch.ts'
import { inspectServices, type InspectPorts } from '../definition/inspect-services.ts'
import { CLOCK_LAG_MAX_MS } from '../deciding/times.ts'
import type { Signatures } from '../ports/signatures.ts'
import { auditedLog, noCounts, type AuditedLog, type Auditor, type Where } from './audited-log.ts'
import { checkWasThere } from './check-read.ts'
import { storedSnapshots } from './check-snapshot.ts'
import { explained, type Erasure } from './erasures.ts'
import { inspectAgain } from './inspect-again.ts'
import { intents, memoryScratch } from './intents.ts'
import { judge, judgeEnd } from './judge.ts'
import type { AuditedOrganization, AuditOptions, AuditReport, ErasedUser } from './report.ts'
import { verifications as verificationsUpTo } from './verifications.ts'

/** What `inspect` needs and was not given, and whatever rests on it, is believed. */
export type AuditPorts = InspectPorts & {
  readonly signatures: Signatures
  /** Every operation that the log may hold: the built-in ones, `createOrganization` among them, and those of the host. */
  readonly catalogue: Catalogue
  readonly ids: Pick<Ids, 'bytes'>
  /** The versions of the rules that it knows, the newest last. Default: those of this code. */
  readonly rules?: readonly RulesVersion[]
  /** The snapshots beside the log, where a store is audited: each is compared with the state that the log gives. */
  readonly snapshots?: Pick<ReadModels, 'snapshot'>
  /** Keeps requests that wait for approvals. Default: memory, which a log with many of them may exhaust. */
  readonly scratch?: Scratch
  /** Bounds how long the audit waits for code of a host. Without it, an audit may wait for ever. */
  readonly clock?: Clock
}

/**
 * Audits a transcript in one pass, all organizations at once. It checks the closing line, the chains of hashes and all parts. It verifies
 * every stamp by the key that its user had at that time, and repeats every decision on its basis, and every execution.
 * It computes everything that can be computed, and believes only the rest. Findings are data: the audit goes on behind them.
 *
 * @param entries  the entries that `readTranscript` gives
 * @see docs/explanation/what-an-audit-proves.md for what it does not find
 */
export const audit = async (
  {
    signatures,
    catalogue,
    ids,
    snapshots,
    scratch = memoryScratch(),
    clock,
    rules = rulesVersions,
    ...given
  }: AuditPorts,
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  options: AuditOptions = {},
): Promise<AuditReport> => {
  const { findingsMax = 10_000, inFlightMax = 256, erasedMax = Infinity, onProgress } = options
  const findings = findingList(findingsMax)
  const check = transcriptCheck({ digest: signatures, ids }, findings.add)
  const verifications = verificationsUpTo(inFlightMax)
  const counts = { ...noCounts }
  const logs = new Map<string, AuditedLog>()
  const auditor: Auditor = {
    signatures,
    catalogue,
    clock,
    services: inspectServices(given),
    inspected: undefined,
    verifications,
    isKnown: check.isKnown,
    logs,
    absent: new Map(),
    counts,
    intents: intents(scratch),
    limits: options.limits ?? [{ limits: {} }],
    rules,
    rulesMin: options.rulesMin ?? 1,
    clockLagMaxMs: options.clockLagMaxMs ?? CLOCK_LAG_MAX_MS,
    believedMax: options.believedMax ?? Infinity,
    erasedReads: { count: 0 },
  }
  const heads = headsToFind(options, findings.add)
  let lines = 0

  const snapshotOf = storedSnapshots(auditor, snapshots)
  const take = (logged: Logged): void => {
    counts.events += 1
    const where = whereOf(logs, logged, findings.add)
    for (const name of logged.erased) {
      counts.erased += 1
      if (counts.erased > erasedMax)
        where.complain('PART_ERASED', `the part ${name} was erased; at most ${erasedMax} may have been`)
    }
    if (where.log.sequence === 0n) checkWasThere(auditor, logged.event.organization)
    judgeSafely(auditor, where)
    where.log.sequence = logged.event.sequence
    heads.pass(logged)
  }

  for await (const batch of entries) {
    for (const entry of batch) {
      lines = entry.line
      const logged = check.next(entry)
      if (logged === undefined) continue
      if (logged.event.sequence === 1n && snapshots !== undefined)
        logOf(logs, logged.event.organization).snapshot = await snapshotOf(logged.event.organization)
      const inspecting = inspectAgain(auditor, logs.get(logged.event.organization), logged)
      if (inspecting !== undefined) await inspecting
      take(logged)
      const room = verifications.room()
      if (room !== undefined) await room
    }
    onProgress?.(lines)
  }
  const last = check.end()
  if (last !== undefined) {
    await inspectAgain(auditor, logs.get(last.event.organization), last)
    take(last)
  }
  for (const log of logs.values()) judgeEnd(log)
  const erasures = erasuresOf(logs, findings.add)
  await verifications.done()

  const organizations = organizationsOf(logs, check.tips, heads.compared, options)
  heads.end(lines, organizations)
  return {
    counts: { lines, ...counts },
    organizations,
    findings: findings.inOrder(),
    omitted: findings.omitted(),
    erasures,
  }
}

const ERASURES_MAX = 100

/** The erasures of all logs. A missing part that none of its log explains is a finding. */
const erasuresOf = (
  logs: ReadonlyMap<string, AuditedLog>,
  add: (finding: Finding) => void,
): AuditReport['erasures'] => {
  const found: { readonly organization: string; readonly erasure: Erasure }[] = []
  for (const { organization, erasures, hasGap } of logs.values()) {
    const { unexplained, all } = explained(erasures)
    for (const erasure of all) found.push({ organization, erasure })
    if (hasGap) continue // the erasure may be among the events that are missing, which is a finding
    for (const { name, line, sequence } of unexplained) {
      const message = `no erasure names the part ${name}, which is missing`
      add({ code: 'PART_ERASED', message, line, organization, sequence })
    }
  }
  const inOrder = found.toSorted((a, b) => a.erasure.line - b.erasure.line)
  return { count: found.length, first: inOrder.slice(0, ERASURES_MAX).map(erasedUser) }
}

const erasedUser = ({
  organization,
  erasure: { activity, userId, state, at, requester, approvers, parts },
}: {
  readonly organization: string
  readonly erasure: Erasure
}): ErasedUser => ({ organization, activity, userId, state, at, requester, approvers, parts })

const logOf = (logs: Map<string, AuditedLog>, organization: string): AuditedLog => {
  const log = logs.get(organization) ?? auditedLog(organization)
  logs.set(organization, log)
  return log
}

const whereOf = (logs: Map<string, AuditedLog>, logged: Logged, add: (finding: Finding) => void): Where => {
  const { organization, sequence } = logged.event
  const log = logOf(logs, organization)
  const { line } = logged
  return {
    log,
    logged,
    previousAt: log.lastAt,
    decoded: undefined,
    others: undefined,
    complain: (code, message) => {
      log.findings += 1
      add({ code, message, line, organization, sequence })
    },
  }
}

// Operations of a host may throw. The events of other operations are judged all the same.
const judgeSafely = (auditor: Auditor, where: Where): void => {
  try {
    judge(auditor, where)
  } catch {
    where.log.isStateKnown = false
    where.complain(
      'AUDIT_IMPOSSIBLE',
      'an operation threw, or the disk is full; what follows in this log is not judged by the state',
    )
  }
}

type FindingList = {
  readonly add: (finding: Finding) => void
  readonly inOrder: () => readonly Finding[]
  readonly omitted: () => number
}

// Signatures are verified in any order: findings are sorted at the end.
const findingList = (max: number): FindingList => {
  const kept: Finding[] = []
  let omitted = 0
  return {
    add: (finding) => {
      if (kept.length < max) kept.push(finding)
      else omitted += 1
    },
    inOrder: () => kept.toSorted((a, b) => a.line - b.line),
    omitted: () => omitted,
  }
}

/** Compares the log with the heads and pins that the auditor knows from elsewhere. */
const headsToFind = ({ heads = [], pins }: AuditOptions, add: (finding: Finding) => void) => {
  const wanted = new Map<string, readonly string[]>() // two that contradict each other cannot both hold
  for (const { organization, sequence, hash } of heads) {
    const place = `${organization} ${sequence}`
    wanted.set(place, [...(wanted.get(place) ?? []), hash])
  }
  const compared = new Set<string>()
  return {
    /** The organizations of which a line was compared with a head. */
    compared,
    pass: ({ event: { organization, sequence }, hash, line }: Logged): void => {
      if (wanted.size === 0) return
      const known = wanted.get(`${organization} ${sequence}`)
      if (known === undefined) return
      compared.add(organization)
      if (known.some((one) => one !== hash)) {
        const message = 'the line is another one than that which is known from elsewhere'
        add({ code: 'HEAD_DIFFERS', message, line, organization, sequence })
      }
    },
    end: (line: number, organizations: readonly AuditedOrganization[]): void => {
      const found = new Map(organizations.map((one) => [one.organization, one]))
      for (const { organization, sequence } of heads) {
        if (sequence <= (found.get(organization)?.sequence ?? 0n)) continue
        add({
          code: 'HEAD_DIFFERS',
          message: 'the log ends before a head that is known from elsewhere',
          line,
          organization,
          sequence,
        })
      }
      for (const [organization, hash] of pins ?? []) {
        if (found.get(organization)?.genesis === hash) continue
        add({
          code: 'GENESIS_DIFFERS',
          message: 'the organization did not begin with the hash of the pin',
          line,
          organization,
          sequence: 2n,
        })
      }
    },
  }
}

const organizationsOf = (
  logs: ReadonlyMap<string, AuditedLog>,
  tips: ReadonlyMap<string, { readonly sequence: bigint; readonly hash: string }>,
  compared: ReadonlySet<string>,
  { pins }: AuditOptions,
): readonly AuditedOrganization[] =>
  [...logs.values()].map(({ organization, genesis, begunBy, isVouchedFor }) => {
    const { sequence = 0n, hash = '' } = tips.get(organization) ?? {}
    const isPinnedAbove = isVouchedFor && begunBy !== undefined && pins?.has(begunBy.parentId) === true
    const isPinned = isPinnedAbove || pins?.has(organization) === true
    return { organization, genesis, isPinned, isHeadCompared: compared.has(organization), sequence, hash }
  })
