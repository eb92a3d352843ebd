import type { Json } from '../../../core/failure.ts'

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|sha256:[0-9a-f]{64}/g
/** Public keys, signatures, hashes. */
const HEX = /\b[0-9a-f]{64,}\b/g

/** The ids and fingerprints in a text. */
export const idsIn = (text: string): ReadonlySet<string> => new Set(text.match(ID))

/** All in a text that belongs to somebody: ids, fingerprints, keys, signatures. */
export const marksIn = (text: string): ReadonlySet<string> => new Set([...idsIn(text), ...(text.match(HEX) ?? [])])

/**
 * An answer without what another request would change in any case: the id that was asked for, the number of the request and,
 * of an activity that it made, what follows from its bytes. A refusal is kept letter by letter but for the id.
 */
export const comparable = (answer: Json, isRefusal: boolean, asked: string): string => {
  const text = JSON.stringify(answer).replaceAll(asked, '<asked>')
  if (isRefusal) return text
  const names = new Map<string, string>()
  return text
    .replace(ID, (id) => {
      const name = names.get(id) ?? `<id ${names.size + 1}>`
      names.set(id, name)
      return name
    })
    .replace(HEX, '<hex>')
    .replace(/\\"nonce\\":\\"[0-9]+\\"/g, '<nonce>')
}
