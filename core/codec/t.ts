/**
 * The codecs of io-ts and ours, under one name for authors of operations.
 *
 * @example import * as t from '../../codec/t.ts'; t.fields({ userTagName: t.Label, userIds: t.Uuids })
 *
 * @module
 */
export * from 'io-ts'
export {
  AnyJson,
  canonical,
  closed,
  Integer,
  JsonObject,
  Label,
  LabelOrEmpty,
  optional,
  refined,
  Uuid,
} from './codec.ts'
export { defaulted } from './defaulted.ts'
export { described, named } from './described.ts'
export { keyof } from './keyof.ts'
export { fields, list, some, SomeUuids, Uuids } from './fields.ts'
export { mapOf } from './map-of.ts'
export { personal, subject } from './personal.ts'
export { DateTime, Timestamp } from './timestamp.ts'
export {
  Email,
  EmailOrEmpty,
  Hexadecimal,
  Numeric,
  PhoneNumberOrEmpty,
  Text,
  TextOrEmpty,
  textUpTo,
} from './wire-texts.ts'
