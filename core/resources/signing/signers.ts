import * as t from '../../codec/t.ts'
import { state, type Draft, type Organization } from '../../organization/state.ts'

/**
 * The ids of wallet accounts and private keys by the texts that name them in `signWith`: addresses, and a private key's id and public key. The
 * oldest comes first.
 */
export const signers = state({
  name: 'signers',
  version: 1,
  codec: t.mapOf(t.array(t.string)),
  initial: () => new Map<string, string[]>(),
})

/** Hexadecimal digits count in any case; all other texts as they are. */
const canonical = (text: string): string => (/^(?:0x)?[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text)

/** The ids that a text names. */
export const signersNamed = (organization: Organization, text: string): readonly string[] =>
  signers.of(organization).get(canonical(text)) ?? []

export const addSigner = (draft: Draft, id: string, texts: readonly string[]): void => {
  const all = signers.in(draft)
  for (const text of new Set(texts.map(canonical))) {
    const named = all.get(text)
    if (named === undefined) all.set(text, [id])
    else named.push(id)
  }
}

export const removeSigner = (draft: Draft, id: string, texts: readonly string[]): void => {
  const all = signers.in(draft)
  for (const text of texts.map(canonical)) {
    const left = (all.get(text) ?? []).filter((one) => one !== id)
    if (left.length === 0) all.delete(text)
    else all.set(text, left)
  }
}
