/**
 * The types of the names that policies can use. Every engine has users, credentials and the activity; each resource may add keywords
 * and parameters of its own.
 *
 * `dynamic` is a value whose type is known only at the evaluation: a string, a number, a boolean or a list. It may be compared with a
 * value of any type.
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

/** The names that a resource adds to conditions. */
export type FactTypes = {
  /** Keywords besides `activity`: an operation gives their values with `facts`. */
  readonly keywords?: Keywords
  /** Fields of `activity.params` whose types are known; all others are `dynamic`. */
  readonly params?: Keywords
}

/** The keywords of conditions, with those of resources. */
export const conditionKeywords = ({ keywords = {}, params = {} }: FactTypes = {}): Keywords => ({
  ...keywords,
  activity: {
    struct: 'Activity',
    fields: {
      type: 'string',
      kind: 'string',
      resource: 'string',
      action: 'string',
      // Each operation has its own parameters, so a name cannot be refused before there is an activity.
      params: { struct: 'Params', fields: params, others: 'dynamic' },
    },
  },
})

export const consensusKeywords: Keywords = { approvers: { list: user }, credentials: { list: credential } }

/** The type of a struct's field, if it has one. */
export const fieldOf = (struct: Struct, name: string): Type | undefined =>
  Object.hasOwn(struct.fields, name) ? struct.fields[name] : struct.others
