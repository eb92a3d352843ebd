import { tmpdir } from 'node:os'
import type { AuditOptions as Expected, AuditReport, LogHead } from '../../core/audit/report.ts'
import { isUuid } from '../../core/codec.ts'
import { E } from '../../core/prelude.ts'
import { auditText, type Broken } from '../audit/audit-text.ts'
import { nodeSignatures } from '../signatures/node-signatures.ts'
import { auditJson, auditLines } from './audit-report.ts'
import { chunksOf } from './export.ts'
import { knownOperations } from './known-operations.ts'
import { readLimits } from './limits-file.ts'
import { close, openToRead } from './open-store.ts'
import { print, printLines } from './print.ts'
import { progressBar, type Progress } from './progress.ts'
import { resultOf, systemReason, unusable } from './stop.ts'
import { transcriptFile } from './transcript-file.ts'

export type AuditOptions = {
  readonly store?: string
  readonly json?: boolean
  readonly operations?: string
  readonly pin: readonly string[]
  readonly head: readonly string[]
  readonly erasedMax?: number
  /** A file of the limits that were in force. */
  readonly limits?: string
  readonly rulesMin?: number
}

/** Checks an exported log, or a store as if it had been exported, and prints what does not hold. */
export const audit = async (file: string | undefined, options: AuditOptions): Promise<number> => {
  const report = await reportOf(file, options)
  if (options.json === true) print(auditJson(report))
  else printLines(auditLines(report))
  return report.findings.length + report.omitted === 0 ? 0 : 1
}

/** What `audit` prints. */
export const reportOf = async (file: string | undefined, options: AuditOptions): Promise<AuditReport> => {
  const expected = await expectedOf(options)
  const catalogue = await knownOperations(options.operations)
  const source = await sourceOf(file, options.store)
  let audited: E.Either<Broken, AuditReport>
  try {
    audited = await auditText({ signatures: nodeSignatures(), catalogue }, source.chunks, expected)
  } finally {
    source.progress.end()
    await source.close()
  }
  if (E.isLeft(audited)) throw stopOf(audited.left)
  return audited.right
}

/** What the auditor knows from elsewhere. */
const expectedOf = async ({ pin, head, erasedMax, limits, rulesMin }: AuditOptions): Promise<Expected> => ({
  pins: new Map(pin.map(pinOf)),
  heads: head.map(headOf),
  ...(erasedMax === undefined ? {} : { erasedMax }),
  ...(limits === undefined ? {} : { limits: await readLimits(limits) }),
  ...(rulesMin === undefined ? {} : { rulesMin }),
})

/** A source has said already what it could not read. */
const stopOf = ({ by, error }: Broken): unknown =>
  by === 'text' ? error : unusable(`cannot keep temporary files in ${tmpdir()}: ${systemReason(error)}`)

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
  readonly chunks: AsyncIterable<Uint8Array>
  readonly progress: Progress
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
  return { chunks: chunks(progress.passed), progress, close: () => Promise.resolve() }
}

const ofStore = async (url: string): Promise<Source> => {
  const storage = await openToRead(url)
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH_EVENTS)
  return { chunks: chunksOf(storage, progress.passed), progress, close: () => close(storage) }
}

const MUCH_BYTES = 5_000_000n
const MUCH_EVENTS = 5_000n
