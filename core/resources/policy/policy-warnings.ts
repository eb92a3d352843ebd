import type { Catalogue } from '../../definition/catalogue.ts'
import type { Operation } from '../../definition/operation.ts'
import { policies, type Policy } from '../../organization/policies.ts'
import type { Organization } from '../../organization/state.ts'
import { conditionKeywords } from '../../policy/schema.ts'
import { undeniedBy, type Reach } from '../../policy/undenied.ts'
import { warningsOf, WARNINGS_MAX, type KnownNames } from '../../policy/warnings.ts'
import { kindOf } from '../../definition/operation-names.ts'
import { userTags } from '../user-tag/user-tags.ts'

/** Finds what policies name that an engine does not have, and what a policy that denies would not deny because of an error. */
export type PolicyWarnings = {
  /**
   * @param policy  without an effect, only its names are looked at
   * @param organization  whose tags it has to name; without it, any id of a tag will do
   */
  readonly of: (
    policy: Pick<Policy, 'condition' | 'consensus'> & { readonly effect?: string | undefined },
    organization?: Organization,
  ) => readonly string[]
  /** The warnings of all policies of an organization, without those that have none. */
  readonly inOrganization: (organization: Organization) => readonly PolicyWarning[]
}

export type PolicyWarning = { readonly policy: Policy; readonly warnings: readonly string[] }

export const policyWarnings = (catalogue: Catalogue): PolicyWarnings => {
  const { values, params } = namesOf(catalogue)
  const reach = reachOf(catalogue)
  const of: PolicyWarnings['of'] = (policy, organization) => {
    const named = warningsOf(policy, { values, params, tags: organization && tagsOf(organization) })
    return policy.effect === 'EFFECT_DENY' ? [...named, ...undeniedBy(policy, reach)].slice(0, WARNINGS_MAX) : named
  }
  return {
    of,
    inOrganization: (organization) =>
      [...policies.of(organization).values()]
        .map((policy) => ({ policy, warnings: of(policy, organization) }))
        .filter(({ warnings }) => warnings.length > 0),
  }
}

const tagsOf = (organization: Organization): ReadonlyMap<string, string> =>
  new Map([...userTags.of(organization).values()].map(({ tagId, tagName }) => [tagId, tagName]))

const namesOf = ({ operations, facts }: Catalogue): Pick<KnownNames, 'values' | 'params'> => {
  const types = operations.flatMap(({ versions }) => versions.map(({ type }) => type))
  const some = (names: readonly (string | undefined)[]) => new Set(names.filter((name) => name !== undefined))
  const declared = operations.map(({ paramNames }) => paramNames)
  const typed = Object.keys(facts.params).map((name) => name.replace('?', ''))
  return {
    values: {
      type: new Set(types),
      kind: new Set(types.map(kindOf)),
      resource: some(operations.map(({ resource }) => resource)),
      action: some(operations.map(({ action }) => action)),
    },
    params: declared.includes(undefined) ? undefined : new Set([...some(declared.flat()), ...typed]),
  }
}

/** Without a resource and an action, no policy is asked about an operation. */
const reachOf = ({ operations, facts }: Catalogue): Reach => {
  const mayLack = (name: string, { paramsMaybe }: Operation): boolean =>
    paramsMaybe.includes(name) || Object.hasOwn(facts.params, `${name}?`)
  return {
    keywords: conditionKeywords(facts),
    operations: operations.flatMap((operation) => {
      const { path, kind, resource, action, paramNames, hasFacts } = operation
      if (resource === undefined || action === undefined) return []
      const params = paramNames && new Map(paramNames.map((name) => [name, mayLack(name, operation)]))
      return operation.versions.map(({ type }) => ({
        path,
        activity: { type, kind, resource, action },
        params,
        hasFacts,
      }))
    }),
  }
}
