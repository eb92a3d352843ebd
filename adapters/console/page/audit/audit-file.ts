import { audit } from '../../../../core/audit/audit.ts'
import { auditReportJson, type AuditReportJson } from '../../../../core/audit/report-json.ts'
import type { AuditOptions } from '../../../../core/audit/report.ts'
import { catalogue } from '../../../../core/definition/catalogue.ts'
import { readTranscript } from '../../../../core/log/transcript-reader.ts'
import { E } from '../../../../core/prelude.ts'
import { everyResource } from '../../../../core/resources/every-resource.ts'
import { simpleWebAuthn } from '../../../attestations/attestations.ts'
import { kindOf } from '../../../audit/first-line.ts'
import { webSignatures } from '../../../signatures/web-signatures.ts'
import { intlTimeZones } from '../../../time-zones/intl-time-zones.ts'

/** What the auditor knows from elsewhere. */
export type Known = Required<Pick<AuditOptions, 'heads' | 'pins'>>

/** How far an audit is. */
export type Progress = {
  readonly _tag: 'progress'
  readonly lines: number
  /** Of the bytes of the file, from 0 to 1. */
  readonly share: number
}

/** Why there is no report: the file says nothing about the log, or the browser cannot verify signatures. */
export type Problem = 'empty' | 'sqlite' | 'other' | 'unreadable' | 'insecure'

export type Outcome =
  | { readonly _tag: 'report'; readonly report: AuditReportJson }
  | { readonly _tag: 'problem'; readonly problem: Problem }

/** How many findings a report has; the others are only counted. */
export const FINDINGS_MAX = 200

/**
 * Audits an exported log with nothing but what is in it, in any runtime with WebCrypto. The file is read piece by piece, once.
 *
 * @param onProgress  called once for each piece that was read
 */
export const auditFile = async (
  file: Blob,
  known: Known,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Outcome> => {
  if (!hasWebCrypto()) return { _tag: 'problem', problem: 'insecure' } // every signature would seem to be wrong
  const resources = catalogue(everyResource, intlTimeZones())
  if (E.isLeft(resources)) throw new Error(resources.left.message) // a test says that they fit together
  const signatures = webSignatures()
  const reading = readingOf(file)
  let shown = 0
  const report = await audit(
    {
      signatures,
      catalogue: resources.right,
      ids: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
      attestations: simpleWebAuthn({ digest: signatures }),
    },
    readTranscript(signatures, reading.chunks),
    {
      ...known,
      findingsMax: FINDINGS_MAX,
      onProgress: (lines) => {
        if (reading.bytes() === shown) return
        shown = reading.bytes()
        onProgress({ _tag: 'progress', lines, share: shown / file.size })
      },
    },
  )
  const problem = reading.problem()
  return problem === undefined ? { _tag: 'report', report: auditReportJson(report) } : { _tag: 'problem', problem }
}

/** Browsers have it only in secure contexts: on HTTPS, and from the own machine. */
const hasWebCrypto = (): boolean => {
  const { subtle } = crypto as { readonly subtle: SubtleCrypto | undefined } // what its type leaves out
  return subtle !== undefined
}

/** A file that is being read. An audit cannot tell a file that breaks off from a log that does, so what went wrong is kept beside it. */
const readingOf = (file: Blob) => {
  let bytes = 0
  let problem: Problem | undefined
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const reader = file.stream().getReader() // not every browser iterates over a stream
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const kind = bytes === 0 ? kindOf(piece.value) : 'export'
        if (kind !== 'export') {
          problem = kind
          return
        }
        bytes += piece.value.length
        yield piece.value
      }
      if (bytes === 0) problem = 'empty'
    } catch {
      problem = 'unreadable'
    } finally {
      await reader.cancel().catch(() => undefined) // it may be broken
    }
  }
  return { chunks: chunks(), bytes: () => bytes, problem: () => problem }
}
