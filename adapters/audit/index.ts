/** What an auditor needs: to export a log and to check it, without an engine and without the server that wrote it. */
import type { AuditOptions, AuditReport } from '../../core/audit/report.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { exportLines, pagesOf, type PagesOptions } from '../../core/log/transcript.ts'
import { catalogue } from '../../core/operations/catalogue.ts'
import type { Operation } from '../../core/operations/operation.ts'
import { createOrganization } from '../../core/operations/organization/create-organization.ts'
import { publicApi } from '../../core/operations/public-api.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import type { Signatures } from '../../core/ports/signatures.ts'
import { E, type TE } from '../../core/prelude.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { nodeSignatures } from '../signatures/node-signatures.ts'
import { auditText, type Broken } from './audit-text.ts'

export type AuditLogOptions = AuditOptions & {
  /** Every operation that the log may hold, but for create-organization; `publicApi` unless told otherwise. */
  readonly operations?: readonly Operation[]
  readonly signatures?: Signatures
}

/**
 * Writes the whole log of a store as text, also while a server writes to it.
 *
 * @returns chunks of bytes; a failure is the last thing that it yields, and then the text has no closing line
 * @see docs/reference/log-format.md
 */
export const exportLog = (
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  options?: PagesOptions,
): AsyncGenerator<E.Either<Failure, Uint8Array>> => exportLines(nodeDigest(), pagesOf(store, options))

/**
 * Checks an exported log: its closing line, chains and parts, every stamp by the key that was valid then, every decision
 * taken again on its basis, every execution done again. What does not hold is a finding in the report, not a failure. So is
 * a text that ends without its closing line; one that throws before its end is a failure, and there is no report.
 *
 * @param text  of an export, in chunks of any length: `createReadStream(path)`, or what `exportLog` gave
 * @returns `CONFIGURATION_INVALID` where two operations claim one name, `UNAVAILABLE` where the text throws, or the folder for
 *   temporary files takes no more
 * @see docs/explanation/what-an-audit-proves.md
 * @example const report = await auditLog(createReadStream('log.jsonl'), { pins: new Map([[organizationId, genesisHash]]) })()
 */
export const auditLog =
  (
    text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    { operations = publicApi, signatures = nodeSignatures(), ...options }: AuditLogOptions = {},
  ): TE.TaskEither<Failure, AuditReport> =>
  async () => {
    const known = catalogue(operations, [createOrganization])
    if (E.isLeft(known)) return known
    return E.mapLeft(failureOf)(await auditText({ signatures, catalogue: known.right }, text, options))
  }

const failureOf = ({ by, error }: Broken): Failure => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const what = by === 'text' ? 'the text could not be read to its end' : 'there is no room for temporary files'
  return failure('UNAVAILABLE', `${what}${code}: nothing is known about the log; audit it again`)
}

export type {
  AuditCounts,
  AuditedOrganization,
  AuditOptions,
  AuditReport,
  LimitsInForce,
  LogHead,
  Setback,
} from '../../core/audit/report.ts'
export type { Finding, FindingCode } from '../../core/log/finding.ts'
