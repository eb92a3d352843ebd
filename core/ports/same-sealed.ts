import { equal } from '../bytes.ts'
import type { SealedRow } from './sealed-rows.ts'

/** Whether two rows of one place are the same: kind, data key and bytes. */
export const sameSealed = (a: SealedRow, b: SealedRow): boolean =>
  a.kind === b.kind && a.dataKey === b.dataKey && equal(a.bytes, b.bytes)
