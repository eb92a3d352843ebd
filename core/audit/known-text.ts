import * as t from 'io-ts'
import { closed, isUuid, refined, Uuid } from '../codec/codec.ts'
import type { LogHead } from './report.ts'

/** Where the log of an organization ended, as people keep it: `ORGANIZATION=SEQUENCE:HASH`. */
export const headText = ({ organization, sequence, hash }: LogHead): string => `${organization}=${sequence}:${hash}`

/** Reads the text of a head; undefined for another text. */
export const headOfText = (text: string): LogHead | undefined => {
  const [organization = '', head = '', ...rest] = text.toLowerCase().split('=')
  const [sequence = '', hash = '', ...more] = head.split(':')
  if (!isUuid(organization) || !isSequence(sequence) || !isHash(hash) || rest.length + more.length > 0) return undefined
  return { organization, sequence: BigInt(sequence), hash }
}

/** Reads the text of a pin, `ORGANIZATION=HASH`, where HASH is the genesis hash; undefined for another text. */
export const pinOfText = (text: string): readonly [organization: string, hash: string] | undefined => {
  const [organization = '', hash = '', ...rest] = text.toLowerCase().split('=')
  return isUuid(organization) && isHash(hash) && rest.length === 0 ? [organization, hash] : undefined
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const isSequence = (text: string): boolean => /^[1-9][0-9]{0,18}$/.test(text)

/** A file of heads: where the log of each organization ended. A sequence is text, because a number of JSON may not be exact. */
export const HeadsFile = closed({
  heads: t.readonlyArray(
    closed({
      organization: Uuid,
      sequence: refined(t.string, 'a sequence, in a string', isSequence),
      hash: refined(t.string, 'a SHA-256, in hex', isHash),
    }),
  ),
})
export type HeadsFile = t.TypeOf<typeof HeadsFile>

export const headsIn = ({ heads }: HeadsFile): readonly LogHead[] =>
  heads.map((head) => ({ ...head, sequence: BigInt(head.sequence) }))

/** @param ends  of the logs, as a report has them, also one of JSON */
export const headsFileOf = (
  ends: readonly { readonly organization: string; readonly sequence: bigint | string; readonly hash: string }[],
): HeadsFile => ({
  heads: ends.map(({ organization, sequence, hash }) => ({ organization, sequence: String(sequence), hash })),
})
