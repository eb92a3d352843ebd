import { decodeUtf8, encodeUtf8 } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { isObject } from '../codec/codec.ts'
import { parseJson } from '../json/parse-json.ts'

/** How the name of a part with personal data begins. The user id of the person follows. */
export const PERSONAL = 'personal:'

/** The name of the part of an event that has the personal data of one person. */
export const personalPart = (userId: string): string => `${PERSONAL}${userId}`

/** The person whose data a part of this name has; undefined if it is no part with personal data. */
export const personOf = (name: string): string | undefined =>
  name.startsWith(PERSONAL) ? name.slice(PERSONAL.length) : undefined

/**
 * The content of a part with personal data, as JSON. `change`, `result` and `performed` have the values of the personal members there, in
 * the order in which they stand: the line has null in their places. `address` is the network address of the caller.
 */
export type Personal = {
  readonly change?: readonly Json[]
  readonly result?: readonly Json[]
  readonly performed?: readonly Json[]
  readonly address?: string
}

export const encodePersonal = ({ change, result, performed, address }: Personal): Uint8Array =>
  encodeUtf8(JSON.stringify({ change, result, performed, address }))

/** Reads a part with personal data; undefined if it is not in the form above. */
export const decodePersonal = (bytes: Uint8Array): Personal | undefined => {
  let read: unknown
  try {
    read = parseJson(decodeUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
  return isPersonal(read) ? read : undefined
}

const isPersonal = (read: unknown): read is Personal =>
  isObject(read) && [read.change, read.result, read.performed].every(areValues) && isTextOrNone(read.address)

const areValues = (values: unknown): boolean => values === undefined || Array.isArray(values)
const isTextOrNone = (text: unknown): boolean => text === undefined || typeof text === 'string'
