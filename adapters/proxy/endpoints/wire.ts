import * as t from '../../../core/codec/t.ts'
import type { JsonObject } from '../../../core/codec/codec.ts'
import { failureOf } from '../../../core/countersign-error.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { rowOf, type Json } from '../../../core/failure.ts'

/** What is sent: without members that are not there. */
export const present = (members: { readonly [member: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** The value as the wire has it. */
export const encoded = <A>(codec: t.Type<A, unknown, unknown>, value: A): Json => codec.encode(value) as Json // codecs of the wire give JSON

/** What the API answered, read by a codec. */
export const readAnswer = <A>(codec: t.Type<A, unknown, unknown>, answer: Json): A => {
  const read = codec.decode(answer)
  if (read._tag === 'Left') throw refuse('UNAVAILABLE', 'the API has answered in a form that is not understood')
  return read.right
}

/** Whether the API has refused something for what it is: not for who asks, or how often, and not because it is in trouble. */
export const isRefused = (error: unknown): boolean => {
  const failure = failureOf(error)
  if (failure === undefined || failure.code === 'PUBLIC_KEY_NOT_FOUND') return false
  const { http } = rowOf(failure)
  return http >= 400 && http < 500 && http !== 429
}

/** Seconds of a setting, as requests have them. */
export const secondsOf = (setting: number | undefined): string | undefined =>
  setting === undefined ? undefined : String(setting)

/** The id of an organization that a client may name. The empty text counts as left out. */
export const OrganizationId = t.canonical(t.string, 'a UUID', (text) =>
  text === '' || t.Uuid.is(text) ? text.toLowerCase() : undefined,
)
