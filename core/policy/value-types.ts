/**
 * The types of the values of expressions.
 *
 * `dynamic` is a value whose type is known only at the evaluation: a string, a number, a boolean, a list or a map. It may be compared
 * with a value of any type.
 */
export type Type = 'bool' | 'int' | 'string' | 'timestamp' | Dynamic | ListOf | MapOf | Struct

export type ListOf = { readonly list: Type }

/**
 * A value whose type is known only at the evaluation. If it is believed to be a list or a struct, its members can be named; apart from
 * that, the belief means nothing.
 */
export type Dynamic = 'dynamic' | { readonly believed: ListOf | Struct }

/** Values by names that a policy gives as strings. */
export type MapOf = { readonly map: Type }

export type Struct = {
  readonly struct: string
  readonly fields: Readonly<Record<string, Type>>
  /** The type of every field that `fields` does not name; without it there are no others. */
  readonly others?: Type
  /** The fields that can be absent. */
  readonly optional?: ReadonlySet<string>
  /** Whether the policy itself gives the struct, member by member. */
  readonly isLiteral?: true
}

/** The root keywords of one kind of expression. */
export type Keywords = Readonly<Record<string, Type>>

/** The type of a struct's field, if it has one. */
export const fieldOf = (struct: Struct, name: string): Type | undefined =>
  Object.hasOwn(struct.fields, name) ? struct.fields[name] : struct.others

export const isList = (type: Type): type is ListOf => typeof type === 'object' && 'list' in type

export const isMap = (type: Type): type is MapOf => typeof type === 'object' && 'map' in type

export const isStruct = (type: Type): type is Struct => typeof type === 'object' && 'struct' in type

export const isDynamic = (type: Type): type is Dynamic =>
  type === 'dynamic' || (typeof type === 'object' && 'believed' in type)

export const isListLike = (type: Type): type is ListOf | Dynamic => isDynamic(type) || isList(type)

/** The type of the items of a list. */
export const elementOf = (type: ListOf | Dynamic): Type => {
  if (type === 'dynamic') return type
  if ('list' in type) return type.list
  const item = isList(type.believed) ? type.believed.list : 'dynamic'
  return isStruct(item) || isList(item) ? { believed: item } : 'dynamic'
}

/** Whether values of the type can be compared with a value of unknown type: single values, and structs that policies give. */
const isComparable = (type: Type): boolean =>
  typeof type === 'string' || isDynamic(type) || (isStruct(type) && type.isLiteral === true)

/**
 * Whether values of the two types can be equal. Structs of the facts are not compared with each other.
 *
 * @param count  is called for each member, because a policy can compare large structs very often
 */
export const fits = (a: Type, b: Type, count: () => boolean): boolean => {
  if (isDynamic(a)) return isComparable(b)
  if (isDynamic(b)) return isComparable(a)
  if (typeof a === 'string' && typeof b === 'string') return a === b
  const isLiteral = [a, b].some((type) => isStruct(type) && type.isLiteral === true)
  return isLiteral && fitsMember(a, b, count)
}

// Inside of structs, lists and structs of the facts are compared, too.
const fitsMember = (a: Type, b: Type, count: () => boolean): boolean => {
  if (!count()) return true
  if (a === b || isDynamic(a) || isDynamic(b)) return true
  if (isList(a) && isList(b)) return fitsMember(a.list, b.list, count)
  if (!isStruct(a) || !isStruct(b) || a.others !== undefined || b.others !== undefined) return false
  const names = Object.keys(a.fields)
  return (
    names.length === Object.keys(b.fields).length &&
    names.every((name) => {
      const one = fieldOf(a, name)
      const other = fieldOf(b, name)
      return one !== undefined && other !== undefined && fitsMember(one, other, count)
    })
  )
}

/** The type of a list's items, if it can hold values of both types. */
export const commonType = (a: Type, b: Type): Type | undefined => {
  if (a === b) return a
  if (isList(a) && isList(b)) {
    const of = commonType(a.list, b.list)
    return of === undefined ? undefined : { list: of }
  }
  if (isDynamic(a) || isDynamic(b)) return 'dynamic'
  return isStruct(a) && isStruct(b) ? commonStruct(a, b) : undefined
}

const commonStruct = (a: Struct, b: Struct): Type | undefined => {
  const names = Object.keys(a.fields)
  if (a.isLiteral !== true || b.isLiteral !== true || names.length !== Object.keys(b.fields).length) return undefined
  const fields: Record<string, Type> = structFields()
  for (const name of names) {
    const one = fieldOf(a, name)
    const other = fieldOf(b, name)
    const common = one === undefined || other === undefined ? undefined : commonType(one, other)
    if (common === undefined) return undefined
    fields[name] = common
  }
  return { struct: a.struct, fields, isLiteral: true }
}

/** Fields without a prototype, because a policy may give them any name. */
export const structFields = (): Record<string, Type> => Object.create(null) as Record<string, Type>

/** A type as messages name it. */
export const nameOf = (type: Type): string => {
  if (isList(type)) return 'a list'
  if (isMap(type)) return 'a map'
  if (isDynamic(type)) return 'a value of unknown type'
  return isStruct(type) ? type.struct : NAMES[type]
}

const NAMES = {
  bool: 'a boolean',
  int: 'a number',
  string: 'a string',
  timestamp: 'a timestamp',
} as const
