import * as t from 'io-ts'
import type { Json } from '../failure.ts'
import { isJsonObject } from './codec.ts'
import { DefaultedType } from './defaulted.ts'
import { DescribedType } from './described.ts'
import { FieldsType } from './fields.ts'

/** Gives another form to a written value. */
export type Rewrite = (written: Json) => Json

/**
 * Gives another form to all values of one codec inside of what another codec has written. It looks into objects, lists, records, unions and
 * intersections, and makes copies of what it changes.
 *
 * @param inside  the codec of the whole value
 * @param target  the codec of the values that are rewritten: the very same object
 * @returns undefined if the codec of the whole value does not contain the other one
 */
export const rewriting = (
  inside: t.Decoder<unknown, unknown>,
  target: t.Decoder<unknown, unknown>,
  rewrite: Rewrite,
): Rewrite | undefined => {
  if (inside === target) return rewrite
  const within = (codec: unknown): Rewrite | undefined => rewriting(codec as t.Mixed, target, rewrite) // part of a codec
  if (inside instanceof DescribedType || inside instanceof DefaultedType) return within(inside.base)
  if (inside instanceof FieldsType) return inMembers({ ...inside.required, ...inside.optional }, within)
  if (inside instanceof t.InterfaceType || inside instanceof t.PartialType)
    return inMembers(inside.props as t.Props, within)
  if (inside instanceof t.ExactType || inside instanceof t.ReadonlyType) return within(inside.type)
  if (inside instanceof t.ArrayType || inside instanceof t.ReadonlyArrayType) return inEntries(within(inside.type))
  if (inside instanceof t.DictionaryType) return inValues(within(inside.codomain))
  if (inside instanceof t.IntersectionType) return oneAfterTheOther((inside.types as readonly t.Mixed[]).map(within))
  if (inside instanceof t.UnionType) return inAlternatives(inside.types as readonly t.Mixed[], within)
  return undefined
}

type Within = (codec: unknown) => Rewrite | undefined

const inMembers = (props: t.Props, within: Within): Rewrite | undefined => {
  const members: (readonly [string, Rewrite])[] = []
  for (const [name, codec] of Object.entries(props)) {
    const rewrite = within(codec)
    if (rewrite !== undefined) members.push([name, rewrite])
  }
  if (members.length === 0) return undefined
  return (written) => {
    if (!isJsonObject(written)) return written
    const copy: { [name: string]: Json } = { ...written }
    for (const [name, rewrite] of members) {
      const value = copy[name]
      if (value !== undefined) copy[name] = rewrite(value)
    }
    return copy
  }
}

const inEntries = (rewrite: Rewrite | undefined): Rewrite | undefined =>
  rewrite && ((written) => (Array.isArray(written) ? (written as readonly Json[]).map(rewrite) : written))

const inValues = (rewrite: Rewrite | undefined): Rewrite | undefined =>
  rewrite &&
  ((written) =>
    isJsonObject(written)
      ? Object.fromEntries(Object.entries(written).map(([name, value]) => [name, rewrite(value)]))
      : written)

const oneAfterTheOther = (rewrites: readonly (Rewrite | undefined)[]): Rewrite | undefined => {
  const found = rewrites.filter((rewrite) => rewrite !== undefined)
  return found.length === 0 ? undefined : (written) => found.reduce((value, rewrite) => rewrite(value), written)
}

/** A value belongs to the first alternative that takes it. */
const inAlternatives = (alternatives: readonly t.Mixed[], within: Within): Rewrite | undefined => {
  const rewrites = alternatives.map((codec) => ({ codec, rewrite: within(codec) }))
  if (rewrites.every(({ rewrite }) => rewrite === undefined)) return undefined
  return (written) => rewrites.find(({ codec }) => codec.is(written))?.rewrite?.(written) ?? written
}
