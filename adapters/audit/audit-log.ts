import { auditReportJson, type AuditReportJson } from '../../core/audit/report-json.ts'
import type { AuditOptions, AuditReport } from '../../core/audit/report.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { exportLines, pagesOf, type PagesOptions } from '../../core/log/transcript.ts'
import { catalogue } from '../../core/definition/catalogue.ts'
import type { Services } from '../../core/definition/port.ts'
import type { Resource } from '../../core/definition/resource.ts'
import { publicApi, withBeginning } from '../../core/resources/public-api.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import type { TimeZones } from '../../core/ports/time-zones.ts'
import type { Signatures } from '../../core/ports/signatures.ts'
import { E, type TE } from '../../core/prelude.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { intlTimeZones } from '../time-zones/intl-time-zones.ts'
import { auditText, type Broken } from './audit-text.ts'

export type AuditLogOptions = AuditOptions & {
  /** The resources whose operations the log may have. Default: `publicApi`. */
  readonly resources?: readonly Resource[]
  readonly signatures?: Signatures
  /**
   * The public keys that signed verification tokens, in hex: `verification` of `GET /public/v1/discovery/keys`. Without them, events that rest on
   * such a token are believed.
   */
  readonly verificationKeys?: readonly string[]
  /** The services that `inspect` of a host's operations needs (`inspectNeeds`). What needs a missing one is believed. */
  readonly ports?: Services
  /** The time zones in which policies are read again. Default: those of the runtime. */
  readonly timeZones?: TimeZones
}

/** A report that `JSON.stringify` can write, although it has numbers of 64 bits: `toJSON` gives sequences as text. */
export type LogReport = AuditReport & { readonly toJSON: () => AuditReportJson }

/** Gives the export of a log as chunks of bytes; after a failure it yields nothing more, and the text has no closing line. */
export const exportedLog = (
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  options?: PagesOptions,
): AsyncGenerator<E.Either<Failure, Uint8Array>> => exportLines(nodeDigest(), pagesOf(store, options))

/** Audits an exported log. */
export const auditedLog =
  (
    text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    {
      resources = publicApi,
      signatures,
      verificationKeys,
      ports,
      timeZones = intlTimeZones(),
      ...options
    }: AuditLogOptions = {},
  ): TE.TaskEither<Failure, LogReport> =>
  async () => {
    const known = catalogue(withBeginning(resources), timeZones)
    if (E.isLeft(known)) return known
    const audited = await auditText({ signatures, verificationKeys, ports, catalogue: known.right }, text, options)
    return E.isLeft(audited) ? E.left(brokenOff(audited.left)) : E.right(logReport(audited.right))
  }

const logReport = (report: AuditReport): LogReport => ({ ...report, toJSON: () => auditReportJson(report) })

const brokenOff = ({ by, error }: Broken): Failure => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const what = by === 'text' ? 'the text could not be read to its end' : 'there is no room for temporary files'
  return failure('UNAVAILABLE', `${what}${code}: nothing is known about the log; audit it again`)
}
