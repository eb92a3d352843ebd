import type { Catalogue } from '../../definition/catalogue.ts'
import { policies, type Policy } from '../../organization/policies.ts'
import type { Organization } from '../../organization/state.ts'
import { warningsOf, type KnownNames } from '../../policy/warnings.ts'
import { kindOf } from '../../definition/operation-names.ts'
import { userTags } from '../user-tag/user-tags.ts'

/** Finds what policies name that an engine does not have. */
export type PolicyWarnings = {
  /** @param organization  whose tags it has to name; without it, any id of a tag will do */
  readonly of: (policy: Pick<Policy, 'condition' | 'consensus'>, organization?: Organization) => readonly string[]
  /** The warnings of all policies of an organization, without those that have none. */
  readonly inOrganization: (organization: Organization) => readonly PolicyWarning[]
}

export type PolicyWarning = { readonly policy: Policy; readonly warnings: readonly string[] }

export const policyWarnings = (catalogue: Catalogue): PolicyWarnings => {
  const { values, params } = namesOf(catalogue)
  const of: PolicyWarnings['of'] = (policy, organization) =>
    warningsOf(policy, { values, params, tags: organization && tagsOf(organization) })
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

const namesOf = ({ operations, resources }: Catalogue): Pick<KnownNames, 'values' | 'params'> => {
  const types = operations.flatMap(({ versions }) => versions.map(({ type }) => type))
  const some = (names: readonly (string | undefined)[]) => new Set(names.filter((name) => name !== undefined))
  const declared = operations.map(({ paramNames }) => paramNames)
  const facts = resources.flatMap((resource) => Object.keys(resource.facts.params ?? {}))
  return {
    values: {
      type: new Set(types),
      kind: new Set(types.map(kindOf)),
      resource: some(operations.map(({ resource }) => resource)),
      action: some(operations.map(({ action }) => action)),
    },
    params: declared.includes(undefined) ? undefined : new Set([...some(declared.flat()), ...facts]),
  }
}
