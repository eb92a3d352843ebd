import { failure, type Failure } from '../failure.ts'
import type { Language } from '../policy/expression.ts'
import { E } from '../prelude.ts'
import { triedPolicies, type ProposedPolicy, type TriedPolicy } from './proposed-policies.ts'

/** The policies as decisions take them; fails with the first mistake. */
export const checkedPolicies = (
  proposed: readonly ProposedPolicy[],
  language: Language,
): E.Either<Failure, readonly TriedPolicy[]> => {
  for (const [index, { condition = '', consensus = '' }] of proposed.entries())
    for (const compiled of [language.condition(condition), language.consensus(consensus)])
      if (E.isLeft(compiled)) return E.left(failure('REQUEST_INVALID', `policy ${index + 1}: ${compiled.left.message}`))
  return E.right(triedPolicies(proposed))
}
