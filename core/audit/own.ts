import { decodeUtf8, encodeUtf8 } from '../bytes.ts'

/** A copy of a text that is kept: a substring would keep its whole line in memory. */
export const own = (text: string): string => decodeUtf8(encodeUtf8(text)) ?? ''
