import { isUuid } from '../../core/codec/codec.ts'
import type { Catalogue } from '../../core/definition/catalogue.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { replayOrganization } from '../../core/projection/replay.ts'
import { policyWarnings } from '../../core/resources/policy/policy-warnings.ts'
import { knownResources } from './known-resources.ts'
import { close, openToRead, type BesideFlags } from './open-store.ts'
import { printLines, say } from './print.ts'
import { organizationsOf } from './replay.ts'
import { refusal, resultOf, unusable } from './stop.ts'

export type PolicyCheckOptions = BesideFlags & {
  readonly store?: string | undefined
  readonly organization?: string
  readonly condition?: string
  readonly consensus?: string
  readonly resources?: string
}

/**
 * Prints a line for each thing that `policyWarnings` finds, of the policies of a store or of one that is not stored.
 *
 * @returns the exit code: 1 if there is such a line
 */
export const policyCheck = async (options: PolicyCheckOptions): Promise<number> => {
  const { store, organization, condition, consensus, resources } = options
  const isText = condition !== undefined || consensus !== undefined
  if (isText === (store !== undefined)) throw unusable('expected --store, or --condition and --consensus')
  if (organization !== undefined && (isText || !isUuid(organization)))
    throw unusable('expected a UUID after --organization, and --store')
  const catalogue = await knownResources(resources)
  const lines =
    store === undefined
      ? linesOfText(catalogue, { condition: condition ?? '', consensus: consensus ?? '' })
      : await linesOfStore(catalogue, await openToRead(store, options), organization?.toLowerCase())
  printLines(lines)
  if (lines.length === 0) say('countersign: no policy names what no operation has')
  return lines.length === 0 ? 0 : 1
}

/** @throws a refusal if an expression is not valid */
const linesOfText = (
  catalogue: Catalogue,
  policy: { readonly condition: string; readonly consensus: string },
): readonly string[] => {
  const { language } = catalogue
  const compiled = [language.condition(policy.condition), language.consensus(policy.consensus)]
  const wrong = compiled.flatMap((one) => (E.isLeft(one) ? [one.left.message] : []))
  if (wrong.length > 0) throw refusal(wrong.join('; '))
  return policyWarnings(catalogue).of(policy)
}

const linesOfStore = async (
  catalogue: Catalogue,
  storage: Storage,
  organization: string | undefined,
): Promise<readonly string[]> => {
  try {
    const lines: string[] = []
    for await (const id of organization === undefined ? organizationsOf(storage.store) : [organization]) {
      const { state, events } = await resultOf(replayOrganization(storage.store, catalogue, id))
      if (events === 0) throw refusal(`the store has no organization ${id}`)
      for (const { policy, warnings } of policyWarnings(catalogue).inOrganization(state))
        for (const warning of warnings) lines.push(`${id} ${policy.policyId} ${policy.policyName}: ${warning}`)
    }
    return lines
  } finally {
    await close(storage)
  }
}
