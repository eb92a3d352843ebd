import type { Finding } from '../log/finding.ts'
import { transcriptCheck, type Logged } from '../log/transcript-check.ts'
import type { TranscriptEntry } from '../log/transcript-reader.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import type { Ids } from '../ports/ids.ts'
import type { Scratch } from '../ports/scratch.ts'
import type { Signatures } from '../ports/signatures.ts'
import { auditedLog, type AuditedLog, type Auditor, type Where } from './audited-log.ts'
import { intents, memoryScratch } from './intents.ts'
import { judge, judgeEnd } from './judge.ts'
import type { AuditedOrganization, AuditOptions, AuditReport, Setback } from './report.ts'
import { verifications as verificationsUpTo } from './verifications.ts'

export type AuditPorts = {
  readonly signatures: Signatures
  /** Every operation that the log may hold: the built-in ones, `createOrganization` among them, and those of the host. */
  readonly catalogue: Catalogue
  readonly ids: Pick<Ids, 'bytes'>
  /** Where requests are put that wait for approvals. Default: in memory, which a log of many of them may exhaust. */
  readonly scratch?: Scratch
}

/**
 * Audits a transcript in one pass, all organizations at once: the closing line, the chains of hashes and all parts;
 * every stamp, by the key that was its user's then; every decision, taken again on its basis; every execution, done again.
 * It believes nothing that the log says and can be computed. Findings are data: it goes on behind them.
 *
 * @param entries  of `readTranscript`
 * @see docs/explanation/what-an-audit-proves.md for what it does not find
 */
export const audit = async (
  { signatures, catalogue, ids, scratch = memoryScratch() }: AuditPorts,
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  options: AuditOptions = {},
): Promise<AuditReport> => {
  const { findingsMax = 10_000, inFlightMax = 256, erasedMax = Infinity, onProgress } = options
  const findings = findingList(findingsMax)
  const check = transcriptCheck({ digest: signatures, ids }, findings.add)
  const verifications = verificationsUpTo(inFlightMax)
  const counts = { ...nothing }
  const setbacks: { count: number; first: Setback[] } = { count: 0, first: [] }
  const auditor: Auditor = {
    signatures,
    catalogue,
    verifications,
    counts,
    intents: intents(scratch),
    limits: options.limits ?? [{ limits: {} }],
    rulesMin: options.rulesMin ?? 1,
    onSetback: (setback) => {
      setbacks.count += 1
      if (setbacks.first.length < SETBACKS_MAX) setbacks.first.push(setback)
    },
  }
  const logs = new Map<string, AuditedLog>()
  const heads = headsToFind(options, findings.add)
  let lines = 0

  const take = (logged: Logged): void => {
    counts.events += 1
    const where = whereOf(logs, logged, findings.add)
    for (const name of logged.erased) {
      counts.erased += 1
      if (counts.erased > erasedMax)
        where.complain('PART_ERASED', `the part ${name} was erased; at most ${erasedMax} may have been`)
    }
    judgeSafely(auditor, where)
    heads.pass(logged)
  }

  for await (const batch of entries) {
    for (const entry of batch) {
      lines = entry.line
      const logged = check.next(entry)
      if (logged === undefined) continue
      take(logged)
      const room = verifications.room()
      if (room !== undefined) await room
    }
    onProgress?.(lines)
  }
  const last = check.end()
  if (last !== undefined) take(last)
  for (const log of logs.values()) judgeEnd(log)
  await verifications.done()

  const organizations = organizationsOf(logs, check.tips, heads.compared, options)
  heads.end(lines, organizations)
  return {
    counts: { lines, ...counts },
    organizations,
    findings: findings.inOrder(),
    omitted: findings.omitted(),
    setbacks,
  }
}

const nothing: Auditor['counts'] = {
  events: 0,
  activities: 0,
  stamps: 0,
  decisions: 0,
  byOlderRules: 0,
  clockBehind: 0,
  executions: 0,
  erased: 0,
}

const SETBACKS_MAX = 100

const whereOf = (logs: Map<string, AuditedLog>, logged: Logged, add: (finding: Finding) => void): Where => {
  const { organization, sequence } = logged.event
  const log = logs.get(organization) ?? auditedLog(organization)
  logs.set(organization, log)
  const { line } = logged
  return {
    log,
    logged,
    previousAt: log.lastAt,
    complain: (code, message) => {
      log.findings += 1
      add({ code, message, line, organization, sequence })
    },
  }
}

// Operations of a host may throw on what their own codecs let through. That must not keep others from being judged.
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

/** Looks out for what is known of the log from elsewhere. */
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
  [...logs.values()].map(({ organization, genesis }) => {
    const { sequence = 0n, hash = '' } = tips.get(organization) ?? {}
    const isPinned = pins?.has(organization) ?? false
    return { organization, genesis, isPinned, isHeadCompared: compared.has(organization), sequence, hash }
  })
