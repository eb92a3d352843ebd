import * as t from 'io-ts'
import type { Json } from '../failure.ts'
import { isJsonObject, RefinedType } from './codec.ts'
import { DefaultedType } from './defaulted.ts'
import { DescribedType } from './described.ts'
import { FieldsType } from './fields.ts'
import { MapType } from './map-of.ts'

/** A personal member: the log keeps its value in a part, and its fallback is read when the part was erased. */
class PersonalType<A> extends DescribedType<A> {
  readonly fallback: A | undefined

  constructor(base: t.Type<A, unknown, unknown>, fallback: A | undefined) {
    super(base, { description: 'personal: it is kept in a part of the event, which can be erased' })
    this.fallback = fallback
  }
}

/** The member of an object that says whose data the personal members of the object are. */
class SubjectType<A> extends DescribedType<A> {}

/**
 * A member of a change or a result that is personal data. Its value never stands in a line of the log, but in the part
 * `personal:<user id>` of the event, so that it can be erased without breaking any hash. The nearest object around it that has a
 * `subject` says whose data it is.
 *
 * @param fallback  what is read when the value was erased; leave it out for an optional member, which is absent then
 * @throws if the codec does not accept the fallback (a bug, found at the start)
 * @example fields({ userId: subject(Uuid), userName: personal(t.string, '') }, { userEmail: personal(t.string) })
 */
export const personal = <A>(codec: t.Type<A, unknown, unknown>, fallback?: A): t.Type<A, unknown, unknown> => {
  if (fallback !== undefined && !codec.is(fallback))
    throw new Error('the fallback of a personal member must fit its codec')
  return new PersonalType(codec, fallback)
}

/** The user id that says whose data the personal members beside it, and inside the members beside it, are. */
export const subject = <A extends string>(codec: t.Type<A, unknown, unknown>): t.Type<A, unknown, unknown> =>
  new SubjectType(codec, {})

/** A personal value in a written object. */
export type PersonalValue = {
  /** The user id whose data it is. */
  readonly of: string
  /** The value that stands there. */
  readonly value: Json
  /** The written fallback; undefined if the member is left out instead. */
  readonly fallback: Json | undefined
}

/** Gives the value that replaces a personal one; undefined leaves the member out. */
export type Replace = (found: PersonalValue) => Json | undefined

/** Replaces all personal values in a written value, in the order in which they stand there. It copies what it changes. */
export type ReplacePersonal = (written: Json, replace: Replace) => Json

/**
 * Finds the personal members inside of a codec.
 *
 * @returns undefined if there are none
 * @throws if a personal member has no subject, or stands where it cannot be found again, or is required and has no fallback (bugs of
 *   an operation, found at the start)
 */
export const personalMembersOf = (codec: t.Decoder<unknown, unknown>): ReplacePersonal | undefined => {
  const walk = walkOf(codec)
  if (walk === undefined) return undefined
  if (walk instanceof PersonalType || walk.needsSubject)
    throw new Error('a personal member needs a subject: whose data is it?')
  return (written, replace) => walk.run(written, '', replace)
}

type Walk = {
  /** Whether a personal member inside has no subject yet. */
  readonly needsSubject: boolean
  readonly run: (written: Json, of: string, replace: Replace) => Json
}
/** The way to the personal members inside of a codec; or the codec of the member itself, which only an object can replace or leave out. */
const walkOf = (codec: unknown): Walk | PersonalType<unknown> | undefined => {
  if (codec instanceof PersonalType) {
    if (walkOf(codec.base) !== undefined) throw new Error('a personal member must not have personal members itself')
    return codec
  }
  if (codec instanceof DescribedType || codec instanceof RefinedType || codec instanceof DefaultedType)
    return walkOf(codec.base)
  if (codec instanceof FieldsType) return inMembers(codec.required, codec.optional)
  if (codec instanceof t.InterfaceType) return inMembers(codec.props as t.Props, {}) // what it was made of
  if (codec instanceof t.PartialType) return inMembers({}, codec.props as t.Props) // as above
  if (codec instanceof t.ExactType || codec instanceof t.ReadonlyType || codec instanceof t.RefinementType)
    return walkOf(codec.type)
  if (codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType) return inEntries(walkOf(codec.type))
  if (codec instanceof t.DictionaryType) return inValues(walkOf(codec.codomain))
  if (codec instanceof t.UnionType || codec instanceof t.IntersectionType || codec instanceof t.TupleType)
    return withoutPersonal(codec.types as readonly unknown[]) // what it was made of
  if (codec instanceof MapType) return withoutPersonal([codec.value])
  return codec instanceof t.RecursiveType ? inRecursive(codec as t.RecursiveType<t.Any>) : undefined // any one
}

/** @throws if one of the codecs has a personal member, because such a member could not be found again in a value */
const withoutPersonal = (codecs: readonly unknown[]): undefined => {
  for (const one of codecs)
    if (walkOf(one) !== undefined)
      throw new Error(
        'a personal member cannot stand inside a union, an intersection, a tuple, a map or a recursive codec',
      )
  return undefined
}

/** The recursive codecs that are looked into at this moment: they have themselves inside. */
const entered = new Set<unknown>()

const inRecursive = (codec: t.RecursiveType<t.Any>): undefined => {
  if (entered.has(codec)) return undefined
  entered.add(codec)
  try {
    return withoutPersonal([codec.type])
  } finally {
    entered.delete(codec)
  }
}

type Inside = readonly (readonly [name: string, walk: Walk])[]
type Own = readonly (readonly [name: string, fallback: Json | undefined])[]

const inMembers = (required: t.Props, optional: t.Props): Walk | undefined => {
  const all = { ...required, ...optional }
  const inside: (readonly [string, Walk])[] = []
  const own: (readonly [string, Json | undefined])[] = []
  for (const [name, codec] of Object.entries(all)) {
    const walk = walkOf(codec)
    if (walk instanceof PersonalType) own.push([name, fallbackOf(name, walk, Object.hasOwn(required, name))])
    else if (walk !== undefined) inside.push([name, walk])
  }
  if (inside.length === 0 && own.length === 0) return undefined
  const subjects = Object.keys(all).filter((name) => all[name] instanceof SubjectType)
  if (subjects.length > 1) throw new Error('an object with personal members has one subject')
  const [naming] = subjects
  if (naming !== undefined && !Object.hasOwn(required, naming))
    throw new Error('the subject of personal members must be a required member')
  const needsSubject = naming === undefined && (own.length > 0 || inside.some(([, walk]) => walk.needsSubject))
  return { needsSubject, run: (written, of, replace) => replaced(written, { own, inside, naming, of }, replace) }
}

type Members = {
  readonly own: Own
  readonly inside: Inside
  /** The member that has the subject, if it is one of this object. */
  readonly naming: string | undefined
  readonly of: string
}

const replaced = (written: Json, { own, inside, naming, of: outer }: Members, replace: Replace): Json => {
  if (!isJsonObject(written)) return written
  const named = naming === undefined ? undefined : written[naming]
  const of = typeof named === 'string' ? named : outer
  const copy: { [name: string]: Json } = { ...written }
  for (const [name, fallback] of own) {
    const value = copy[name]
    if (value === undefined) continue
    const given = replace({ of, value, fallback })
    if (given === undefined) delete copy[name]
    else copy[name] = given
  }
  for (const [name, walk] of inside) {
    const value = copy[name]
    if (value !== undefined) copy[name] = walk.run(value, of, replace)
  }
  return copy
}

const inEntries = (walk: ReturnType<typeof walkOf>): Walk | undefined =>
  inAll(
    walk,
    ({ run }) =>
      (written, of, replace) =>
        Array.isArray(written) ? (written as readonly Json[]).map((entry) => run(entry, of, replace)) : written,
  )

const inValues = (walk: ReturnType<typeof walkOf>): Walk | undefined =>
  inAll(
    walk,
    ({ run }) =>
      (written, of, replace) =>
        isJsonObject(written)
          ? Object.fromEntries(Object.entries(written).map(([name, value]) => [name, run(value, of, replace)]))
          : written,
  )

const inAll = (walk: ReturnType<typeof walkOf>, run: (walk: Walk) => Walk['run']): Walk | undefined => {
  if (walk instanceof PersonalType) throw new Error('a personal value must be a member of an object')
  return walk && { needsSubject: walk.needsSubject, run: run(walk) }
}

const fallbackOf = (
  name: string,
  { fallback, encode }: PersonalType<unknown>,
  isRequired: boolean,
): Json | undefined => {
  if (fallback !== undefined) return encode(fallback) as Json // codecs of the log write JSON
  if (isRequired) throw new Error(`the personal member ${name} is required, so it needs a fallback`)
  return undefined
}
