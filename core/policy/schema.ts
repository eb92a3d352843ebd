/**
 * What policies can speak of, as data: a new struct is a new table here, and a new root keyword a new entry.
 *
 * `dynamic` is a value whose type shows when it is there: a string, a number, a boolean or a list. It compares by the
 * type of what it is compared with.
 */
export type Type = 'bool' | 'int' | 'string' | 'dynamic' | ListType | Struct

export type ListType = { readonly list: Type }

export type Struct = {
  readonly struct: string
  readonly fields: Readonly<Record<string, Type>>
  /** The type of every field that `fields` does not name; without it there are no others. */
  readonly others?: Type
}

/** The root keywords of one kind of expression. */
export type Keywords = Readonly<Record<string, Type>>

const user: Struct = {
  struct: 'User',
  fields: { id: 'string', tags: { list: 'string' }, email: 'string', alias: 'string' },
}

const credential: Struct = {
  struct: 'Credential',
  fields: { id: 'string', user_id: 'string', type: 'string', credential_id: 'string', public_key: 'string' },
}

// Operations say which of their parameters exist, those of a host too: none can be unknown before the activity is there.
const params: Struct = { struct: 'Params', fields: {}, others: 'dynamic' }

const activity: Struct = {
  struct: 'Activity',
  fields: { type: 'string', kind: 'string', resource: 'string', action: 'string', params },
}

export const conditionKeywords: Keywords = { activity }

export const consensusKeywords: Keywords = { approvers: { list: user }, credentials: { list: credential } }

/** The type of a struct's field, if it has one. */
export const fieldOf = (struct: Struct, name: string): Type | undefined =>
  Object.hasOwn(struct.fields, name) ? struct.fields[name] : struct.others
