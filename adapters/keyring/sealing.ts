import type { SealedPlace, SealedRow } from '../../core/ports/sealed-rows.ts'
import { decrypt, encrypt, joined } from './aes-gcm.ts'

/** A data key, and how the keystore has wrapped it. */
export type DataKey = { readonly key: Uint8Array; readonly wrapped: string }

/**
 * Seals a secret into a row. The bytes are a form, then AES-256-GCM under the data key, bound to form, organization, id and kind: in another
 * place, or as another kind, the row does not open.
 */
export const sealed = (
  { key, wrapped }: DataKey,
  { organization, id }: SealedPlace,
  kind: string,
  secret: Uint8Array,
): SealedRow => ({
  organization,
  id,
  kind,
  dataKey: wrapped,
  bytes: joined(Uint8Array.of(FORM), encrypt(key, secret, about({ organization, id, kind }))),
})

/** The secret of a row; `undefined` if the row was changed or moved, or the data key is another one. Overwrite it after use. */
export const unsealed = (key: Uint8Array, row: SealedRow): Uint8Array | undefined =>
  row.bytes[0] === FORM ? decrypt(key, row.bytes.subarray(1), about(row)) : undefined

const FORM = 1

/** JSON: no two places have the same. */
const about = ({ organization, id, kind }: Pick<SealedRow, 'organization' | 'id' | 'kind'>): Uint8Array =>
  Buffer.from(JSON.stringify([FORM, organization, id, kind]))
