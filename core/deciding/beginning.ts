import type { Catalogue } from '../definition/catalogue.ts'
import type { PayloadWithParts } from '../log/event.ts'
import { created, decisionOf, type Requested, type Undecoded } from './payloads.ts'
import type { Speaker } from './proposal.ts'

/**
 * The two events with which every log begins, in one commit.
 *
 * @param rule  why it may begin
 * @param completed  what its first activity leads to
 */
export const beginningOf = (
  catalogue: Pick<Catalogue, 'generation'>,
  proposal: Undecoded,
  speaker: Speaker,
  requested: Requested,
  rule: 'genesis' | 'parent',
  completed: PayloadWithParts,
): readonly PayloadWithParts[] => {
  const verdict = { outcome: 'ALLOWED', rule, evaluations: [] } as const
  return [
    created(
      proposal,
      speaker,
      requested,
      decisionOf(catalogue, proposal, speaker, { verdict, factors: [] }, undefined),
    ),
    completed,
  ]
}
