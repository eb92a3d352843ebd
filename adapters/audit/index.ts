/** The functions for auditors: they export a log and check it, without an engine and without the server that wrote it. */
import { run, orThrow } from '../../core/countersign-error.ts'
import type { PagesOptions } from '../../core/log/transcript.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import * as standings from '../../core/projection/compare-standings.ts'
import { auditedLog, exportedLog, type AuditLogOptions, type LogReport } from './audit-log.ts'

/**
 * Writes the whole log of a store as text, also while a server writes to it.
 *
 * @returns chunks of bytes
 * @throws CountersignError (the loop throws it) if the store cannot be read; the text then has no closing line
 * @see docs/reference/log-format.md
 */
export const exportLog = async function* (
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  options?: PagesOptions,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of exportedLog(store, options)) yield orThrow(chunk)
}

/**
 * Checks an exported log: its closing line, chains and parts. It verifies every stamp by the key that was valid at that time, and repeats
 * every decision on its basis, and every execution. Anything that does not hold is a finding in the report, and not a failure; a missing
 * closing line is a finding, too. If the text throws before its end, this is a failure, and there is no report.
 *
 * @param text  the text of an export, in chunks of any length: `createReadStream(path)`, or the chunks of `exportLog`
 * @returns rejects with a `CountersignError`: `CONFIGURATION_INVALID` if two operations have one name; `UNAVAILABLE` if the text throws, or
 *   if there is no more room for temporary files
 * @see docs/explanation/what-an-audit-proves.md
 * @example const report = await auditLog(createReadStream('log.jsonl'), { pins: new Map([[organizationId, genesisHash]]) })
 */
export const auditLog = (
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options?: AuditLogOptions,
): Promise<LogReport> => run(auditedLog(text, options))

/**
 * Compares the lists of activities in a store with its log.
 *
 * @returns the activities that are listed otherwise than their events say; `undefined` if the store has no lists
 */
export const compareStandings = async (
  store: Parameters<typeof standings.compareStandings>[0],
): Promise<readonly standings.WrongStanding[] | undefined> => orThrow(await standings.compareStandings(store))

export type { AuditLogOptions, LogReport } from './audit-log.ts'
export type {
  AuditCounts,
  AuditedOrganization,
  AuditOptions,
  AuditReport,
  ErasedUser,
  LimitsInForce,
  LogHead,
} from '../../core/audit/report.ts'
export type { WrongStanding } from '../../core/projection/compare-standings.ts'
export type { AuditReportJson, Comparisons } from '../../core/audit/report-json.ts'
export type { PagesOptions } from '../../core/log/transcript.ts'
export type { ReadOptions } from '../../core/ports/event-store.ts'
export type { Either } from '../../core/prelude.ts'
export type { Finding, FindingCode } from '../../core/log/finding.ts'
