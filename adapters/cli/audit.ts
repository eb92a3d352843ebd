import { audit as auditOf } from '../../core/audit/audit.ts'
import type { AuditReport, LogHead } from '../../core/audit/report.ts'
import { isUuid } from '../../core/codec.ts'
import type { Finding } from '../../core/log/finding.ts'
import { readTranscript, type TranscriptEntry } from '../../core/log/transcript-reader.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { nodeSignatures } from '../signatures/node-signatures.ts'
import { chunksOf } from './export.ts'
import { knownOperations } from './known-operations.ts'
import { close, openToRead } from './open-store.ts'
import { print, printLines } from './print.ts'
import { progressBar, type Progress } from './progress.ts'
import { resultOf, unusable } from './stop.ts'
import { transcriptFile } from './transcript-file.ts'

export type AuditOptions = {
  readonly store?: string
  readonly json?: boolean
  readonly operations?: string
  readonly pin: readonly string[]
  readonly head: readonly string[]
  readonly erasedMax?: number
}

/** Checks an exported log, or a store as if it had been exported, and prints what does not hold. */
export const audit = async (file: string | undefined, options: AuditOptions): Promise<number> => {
  const pins = new Map(options.pin.map(pinOf))
  const heads = options.head.map(headOf)
  const catalogue = await knownOperations(options.operations)
  const source = await sourceOf(file, options.store)
  try {
    const { erasedMax = Infinity } = options
    const report = await auditOf({ signatures: nodeSignatures(), catalogue }, source.entries, {
      pins,
      heads,
      erasedMax,
    })
    source.progress.end()
    source.check()
    if (options.json === true) print(jsonOf(report))
    else printLines(linesOf(report))
    return report.findings.length + report.omitted === 0 ? 0 : 1
  } finally {
    source.progress.end()
    await source.close()
  }
}

const pinOf = (text: string): readonly [string, string] => {
  const [organization = '', hash = '', ...rest] = text.toLowerCase().split('=')
  if (!isUuid(organization) || !/^[0-9a-f]{64}$/.test(hash) || rest.length > 0)
    throw unusable('--pin: expected an organization id and the SHA-256 that init printed, with = between')
  return [organization, hash]
}

const headOf = (text: string): LogHead => {
  const [organization = '', head = '', ...rest] = text.toLowerCase().split('=')
  const [sequence = '', hash = '', ...more] = head.split(':')
  const isHead = isUuid(organization) && /^[1-9][0-9]{0,18}$/.test(sequence) && /^[0-9a-f]{64}$/.test(hash)
  if (!isHead || rest.length > 0 || more.length > 0)
    throw unusable('--head: expected ORGANIZATION=SEQUENCE:HASH, as an earlier audit printed where the log ended')
  return { organization, sequence: BigInt(sequence), hash }
}

type Source = {
  readonly entries: AsyncIterable<readonly TranscriptEntry[]>
  readonly progress: Progress
  /** Stops the command where reading broke off: that says nothing about the log. */
  readonly check: () => void
  readonly close: () => Promise<void>
}

const sourceOf = (file: string | undefined, store: string | undefined): Promise<Source> => {
  if (file !== undefined && store !== undefined) throw unusable('expected a file, or --store, not both')
  if (file !== undefined) return ofFile(file)
  if (store !== undefined) return ofStore(store)
  throw unusable('expected a file, or --store')
}

const ofFile = async (path: string): Promise<Source> => {
  const { bytes, chunks } = await transcriptFile(path)
  const progress = await progressBar(bytes, MUCH_BYTES)
  return { ...reading(chunks(progress.passed)), progress, close: () => Promise.resolve() }
}

const ofStore = async (url: string): Promise<Source> => {
  const storage = await openToRead(url)
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH_EVENTS)
  return { ...reading(chunksOf(storage, progress.passed)), progress, close: () => close(storage) }
}

const MUCH_BYTES = 5_000_000n
const MUCH_EVENTS = 5_000n

const reading = (chunks: AsyncIterable<Uint8Array>): Pick<Source, 'entries' | 'check'> => {
  let broken: { readonly error: unknown } | undefined
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  return {
    entries: readTranscript(nodeDigest(), watched()),
    check: () => {
      if (broken !== undefined) throw broken.error
    },
  }
}

const linesOf = ({ counts, organizations, findings, omitted }: AuditReport): readonly string[] => {
  const lines = findings.map(findingLine)
  if (omitted > 0) lines.push(`and ${omitted} more`)
  for (const { organization, genesis, isPinned, sequence, hash } of organizations) {
    lines.push(`organization ${organization}`)
    lines.push(`  begins with ${genesis ?? 'nothing that can be pinned'}${isPinned ? ' (compared with the pin)' : ''}`)
    lines.push(`  ends with   ${hash} at sequence ${sequence}`)
  }
  const { events, stamps, decisions, executions, erased } = counts
  lines.push(
    `${events} events: ${stamps} stamps, ${decisions} decisions and ${executions} executions hold; ${erased} parts are erased`,
  )
  const found = findings.length + omitted
  lines.push(found === 0 ? 'everything holds' : `${found} finding${found === 1 ? '' : 's'}`)
  return lines
}

const findingLine = ({ line, organization, sequence, code, message }: Finding): string =>
  [`line ${line}`, organization, sequence === undefined ? undefined : `sequence ${sequence}`, code, message]
    .filter((part) => part !== undefined)
    .join('  ')

/** Sequences in text: JSON's numbers do not hold them all. */
const jsonOf = (report: AuditReport): unknown => ({
  ...report,
  organizations: report.organizations.map((one) => ({ ...one, sequence: String(one.sequence) })),
  findings: report.findings.map(({ sequence, ...finding }) => ({
    ...finding,
    ...(sequence === undefined ? {} : { sequence: String(sequence) }),
  })),
})
