import * as t from '../../codec/t.ts'
import { addressFormats, curvesOf, type AddressFormat } from '../../keys/address-formats.ts'
import { keyCurves, type KeyCurve } from '../../keys/curve.ts'

/** A text that is one of these names. */
export const oneOf = <A extends string>(names: readonly A[]): t.Type<A, A, unknown> =>
  t.keyof(Object.fromEntries(names.map((name) => [name, null])) as Record<A, null>)

export const Curve = oneOf(keyCurves)
export const AddressFormatName = oneOf(addressFormats)
export const PathFormat = t.literal('PATH_FORMAT_BIP32')

/** Whether a key of this curve has addresses of this format. */
export const hasFormat = (curve: KeyCurve, format: AddressFormat): boolean => curvesOf(format).includes(curve)

/** The most accounts, payloads or keys of one request. */
export const PER_REQUEST_MAX = 100

/** Refuses a list that is longer. @param member  the list */
export const notTooMany = (member: string, list: readonly unknown[]) =>
  list.length > PER_REQUEST_MAX ? { member, expected: `at most ${PER_REQUEST_MAX} entries` } : undefined
