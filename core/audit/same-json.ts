/**
 * Whether two values are the same as JSON text. Both come from one codec, so their members have one order. Values with
 * different orders count as different.
 */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
