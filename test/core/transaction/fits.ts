import * as assert from 'uvu/assert'
import { isDynamic, isList, isMap, isStruct, type Type } from '../../../core/policy/value-types.ts'
import type { Fact } from '../../../core/policy/fact.ts'

/** Fails unless a value has the type that the policy language gives it, with all its members and no others. */
export const assertFits = (type: Type, value: Fact | undefined, at = 'it'): void => {
  if (isDynamic(type)) {
    assert.not.equal(value, undefined, at)
  } else if (isList(type)) {
    if (!Array.isArray(value)) throw new Error(`expected a list at ${at}`)
    for (const [index, item] of (value as readonly Fact[]).entries()) assertFits(type.list, item, `${at}[${index}]`)
  } else if (isMap(type)) {
    for (const [name, item] of Object.entries(membersOf(value, at))) assertFits(type.map, item, `${at}.${name}`)
  } else if (isStruct(type)) {
    const members = membersOf(value, at)
    assert.equal(
      Object.keys(members).filter((name) => !Object.hasOwn(type.fields, name)),
      [],
      at,
    )
    for (const [name, field] of Object.entries(type.fields)) {
      const isAbsent = members[name] === undefined && type.optional?.has(name) === true
      if (!isAbsent) assertFits(field, members[name], `${at}.${name}`)
    }
  } else {
    assert.is(
      typeof value,
      ({ bool: 'boolean', int: 'bigint', string: 'string', timestamp: 'object' } as const)[type],
      at,
    )
  }
}

const membersOf = (value: Fact | undefined, at: string): Readonly<Record<string, Fact>> => {
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(`expected an object at ${at}`)
  return value as Readonly<Record<string, Fact>> // checked above
}
