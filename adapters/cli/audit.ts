import { tmpdir } from 'node:os'
import { headOfText, pinOfText } from '../../core/audit/known-text.ts'
import type { AuditOptions as Expected, AuditReport, LogHead } from '../../core/audit/report.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import { E } from '../../core/prelude.ts'
import { compareStandings } from '../../core/projection/compare-standings.ts'
import { auditText, type Broken } from '../audit/audit-text.ts'
import { kindOf } from '../audit/first-line.ts'
import { countOf } from '../inbox/amounts.ts'
import { auditJson, auditLines, isClean, type PrintedReport } from './audit-report.ts'
import { chunksOf } from './export.ts'
import { readHeads, writeHeads } from './heads-file.ts'
import { leaveAtSignal } from './interruption.ts'
import { hostModule, knownResources } from './known-resources.ts'
import { readVerificationKeys } from './keys-file.ts'
import { readLimits } from './limits-file.ts'
import { close, openToRead, type BesideFlags } from './open-store.ts'
import { print, printLines, say } from './print.ts'
import { progressBar, type Progress } from './progress.ts'
import { resultOf, systemReason, unusable } from './stop.ts'
import { transcriptFile } from './transcript-file.ts'

export type AuditOptions = BesideFlags & {
  readonly store?: string | undefined
  readonly json?: boolean
  readonly resources?: string
  readonly pin: readonly string[]
  readonly head: readonly string[]
  readonly erasedMax?: number
  readonly believedMax?: number
  /** In seconds. */
  readonly clockLagMax?: number
  /** A file with the public keys of the deployment. */
  readonly keys?: string
  /** A file of the limits that were in force. */
  readonly limits?: string
  /** A file of heads: they are compared, and replaced by those of this audit if it has no finding. */
  readonly keepHeads?: string
}

/** Checks an exported log, or a store as if it had been exported, and prints the report. */
export const audit = async (file: string | undefined, options: AuditOptions): Promise<number> => {
  const { keepHeads } = options
  const kept = keepHeads === undefined ? [] : await readHeads(keepHeads)
  const report = await reportOf(file, options, kept)
  if (options.json === true) print(auditJson(report))
  else printLines(auditLines(report))
  if (!isClean(report)) {
    if (keepHeads !== undefined) say(`countersign: there are findings, so ${keepHeads} stays as it was`)
    return 1
  }
  if (keepHeads !== undefined) {
    await writeHeads(keepHeads, report.organizations)
    if (options.json !== true) say(`Kept ${countOf(report.organizations.length, 'head')} in ${keepHeads}.`)
  }
  return 0
}

/** The report that `audit` prints. */
export const reportOf = async (
  file: string | undefined,
  options: AuditOptions,
  kept: readonly LogHead[] = [],
): Promise<PrintedReport> => {
  const catalogue = await knownResources(options.resources)
  const { ports } = await hostModule(options.resources, [])
  const expected = await expectedOf(options, kept, [...catalogue.limits.keys()])
  const verificationKeys = options.keys === undefined ? undefined : await readVerificationKeys(options.keys)
  const source = await sourceOf(file, options)
  const stay = leaveAtSignal()
  let audited: E.Either<Broken, AuditReport>
  let listed: PrintedReport['listed']
  try {
    audited = await auditText(
      { catalogue, snapshots: source.snapshots, verificationKeys, ports },
      source.chunks,
      expected,
    )
    listed = await source.compareLists()
  } finally {
    source.progress.end()
    stay()
    await source.close()
  }
  if (E.isLeft(audited)) throw stopOf(audited.left)
  return { ...audited.right, listed }
}

/** The facts that the auditor knows from elsewhere. */
const expectedOf = async (
  { pin, head, erasedMax, believedMax, clockLagMax, limits }: AuditOptions,
  kept: readonly LogHead[],
  limitNames: readonly string[],
): Promise<Expected> => ({
  pins: new Map(pin.map(pinOf)),
  heads: [...kept, ...head.map(headOf)],
  erasedMax,
  believedMax,
  clockLagMaxMs: clockLagMax === undefined ? undefined : 1_000 * clockLagMax,
  limits: limits === undefined ? undefined : await readLimits(limits, limitNames),
})

/** The end of the command after a broken source, whose error says already what could not be read. */
const stopOf = ({ by, error }: Broken): unknown =>
  by === 'text' ? error : unusable(`cannot keep temporary files in ${tmpdir()}: ${systemReason(error)}`)

const pinOf = (text: string): readonly [string, string] => {
  const pin = pinOfText(text)
  if (pin === undefined)
    throw unusable('--pin: expected an organization id and the SHA-256 that init printed, with = between')
  return pin
}

const headOf = (text: string): LogHead => {
  const head = headOfText(text)
  if (head === undefined)
    throw unusable('--head: expected ORGANIZATION=SEQUENCE:HASH, as an earlier audit printed where the log ended')
  return head
}

type Source = {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly progress: Progress
  /** The snapshots of a store; `undefined` for a file. */
  readonly snapshots: Pick<ReadModels, 'snapshot'> | undefined
  /** The activities that a store lists otherwise than its log says; `undefined` for a file. */
  readonly compareLists: () => Promise<PrintedReport['listed']>
  readonly close: () => Promise<void>
}

const sourceOf = (file: string | undefined, options: AuditOptions): Promise<Source> => {
  const { store } = options
  if (file !== undefined && store !== undefined) throw unusable('expected a file, or --store, not both')
  if (file !== undefined) return ofFile(file)
  if (store !== undefined) return ofStore(store, options)
  throw unusable('expected a file, or --store')
}

const ofFile = async (path: string): Promise<Source> => {
  const { bytes, chunks } = await transcriptFile(path)
  const progress = await progressBar(bytes, MUCH_BYTES, 'events')
  return {
    chunks: ofLog(path, chunks(progress.passed)),
    progress,
    snapshots: undefined,
    compareLists: async () => undefined,
    close: () => Promise.resolve(),
  }
}

/** Stops the command at a file that is something else. */
const ofLog = async function* (path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of chunks) {
    const kind = isFirst ? kindOf(chunk) : 'export'
    if (kind === 'sqlite') throw unusable(`${path} is an SQLite database: audit it with --store sqlite:${path}`)
    if (kind === 'other') throw unusable(`${path} is no exported log: its first line is no line of one`)
    isFirst = false
    yield chunk
  }
}

const ofStore = async (url: string, beside: BesideFlags): Promise<Source> => {
  const storage = await openToRead(url, beside)
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH_EVENTS, 'events')
  let events = 0
  return {
    chunks: chunksOf(storage, (page, position) => progress.passed(position, (events += page.length))),
    progress,
    snapshots: storage.readModels,
    compareLists: () => resultOf(() => compareStandings(storage.store)),
    close: () => close(storage),
  }
}

const MUCH_BYTES = 5_000_000n
const MUCH_EVENTS = 5_000n
