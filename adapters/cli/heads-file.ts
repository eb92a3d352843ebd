import * as t from 'io-ts'
import type { AuditedOrganization, LogHead } from '../../core/audit/report.ts'
import { closed, isUuid, refined, Uuid } from '../../core/codec/codec.ts'
import { readJson, writeJson } from '../credentials/credentials.ts'

/** Where the log of an organization ended, as `--head` takes it: `ORGANIZATION=SEQUENCE:HASH`. */
export const headText = ({ organization, sequence, hash }: LogHead): string => `${organization}=${sequence}:${hash}`

/** Reads the text of a head; undefined for another text. */
export const headOfText = (text: string): LogHead | undefined => {
  const [organization = '', head = '', ...rest] = text.toLowerCase().split('=')
  const [sequence = '', hash = '', ...more] = head.split(':')
  if (!isUuid(organization) || !isSequence(sequence) || !isHash(hash) || rest.length + more.length > 0) return undefined
  return { organization, sequence: BigInt(sequence), hash }
}

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const isSequence = (text: string): boolean => /^[1-9][0-9]{0,18}$/.test(text)

/** The file of `--keep-heads`: where the log of each organization ended. A sequence is text, because a number of JSON may not be exact. */
const Heads = closed({
  heads: t.readonlyArray(
    closed({
      organization: Uuid,
      sequence: refined(t.string, 'a sequence, in a string', isSequence),
      hash: refined(t.string, 'a SHA-256, in hex', isHash),
    }),
  ),
})

/** The heads of a file; none if it is not there yet. */
export const readHeads = async (path: string): Promise<readonly LogHead[]> => {
  const read = await readJson(Heads, path, 'file of heads')
  return (read?.heads ?? []).map((head) => ({ ...head, sequence: BigInt(head.sequence) }))
}

/** Writes the file, whole or not at all. */
export const writeHeads = async (path: string, organizations: readonly AuditedOrganization[]): Promise<void> => {
  const heads = organizations.map(({ organization, sequence, hash }) => ({
    organization,
    sequence: String(sequence),
    hash,
  }))
  await writeJson(path, { heads }, 'replace')
}
