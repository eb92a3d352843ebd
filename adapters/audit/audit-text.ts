import { audit } from '../../core/audit/audit.ts'
import type { AuditOptions, AuditReport } from '../../core/audit/report.ts'
import type { Catalogue } from '../../core/definition/catalogue.ts'
import type { Services } from '../../core/definition/port.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import type { Scratch } from '../../core/ports/scratch.ts'
import type { Signatures } from '../../core/ports/signatures.ts'
import { E } from '../../core/prelude.ts'
import { nodeContainer, tokens } from '../container.ts'
import { fileScratch } from '../scratch/file-scratch.ts'
import { reading } from './reading.ts'

/** Why a log could not be audited: which source threw, and its error. */
export type Broken = { readonly by: 'text' | 'temporary files'; readonly error: unknown }

/**
 * Audits a text, with temporary files for data that would be too much for memory. If the text or those files break off, nothing is known
 * about the log, and there is no report.
 */
export const auditText = async (
  {
    catalogue,
    signatures,
    snapshots,
    verificationKeys,
    ports,
  }: {
    readonly catalogue: Catalogue
    readonly signatures?: Signatures | undefined
    /** The public keys that sign verification tokens, if they are known. */
    readonly verificationKeys?: readonly string[] | undefined
    /** What `inspect` of a host's operations needs. */
    readonly ports?: Services | undefined
    /** The snapshots beside the log, where a store is audited. */
    readonly snapshots?: Pick<ReadModels, 'snapshot'> | undefined
  },
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: AuditOptions,
): Promise<E.Either<Broken, AuditReport>> => {
  const parts = nodeContainer()
  const { entries, broken } = reading(text)
  const files = fileScratch()
  const { scratch, failed } = watched(files)
  try {
    const [verifier, ids] = [signatures ?? parts.resolve(tokens.verifier), parts.resolve(tokens.ids)]
    const attestations = parts.resolve(tokens.attestations)
    const report = await audit(
      {
        catalogue,
        signatures: verifier,
        attestations,
        verificationKeys,
        ports,
        ids,
        scratch,
        ...(snapshots && { snapshots }),
      },
      entries,
      options,
    )
    const [unread, unkept] = [broken(), failed()]
    if (unread !== undefined) return E.left({ by: 'text', ...unread })
    return unkept === undefined ? E.right(report) : E.left({ by: 'temporary files', ...unkept })
  } finally {
    files.close()
  }
}

/** Watches for errors of the temporary files: the audit goes on after an operation throws, and cannot tell that from a full disk. */
const watched = ({ put, get }: Scratch) => {
  let failure: { readonly error: unknown } | undefined
  const watching = <A, B>(use: (given: A) => B) => {
    return (given: A): B => {
      try {
        return use(given)
      } catch (error) {
        failure ??= { error }
        throw error
      }
    }
  }
  return { scratch: { put: watching(put), get: watching(get) }, failed: () => failure }
}
