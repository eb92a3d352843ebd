import type { Keywords, Struct } from './value-types.ts'

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

/** The keywords of the time of a policy. */
export const timeKeywords: Keywords = { time: { struct: 'Time', fields: { now: 'timestamp' } } }
