import type { Json } from '../../../core/failure.ts'
import type { Signer, World } from '../world/world.ts'

export type Seen = {
  readonly status: string
  readonly canApprove: boolean
  readonly canReject: boolean
  readonly intent: Json
  readonly result: Json
  readonly failure: { readonly message: string } | null
  readonly votes: readonly Json[]
}

/** An activity as somebody sees it now. */
export const seenBy = async ({ answer }: Pick<World, 'answer'>, person: Signer, activityId: string): Promise<Seen> =>
  (await answer(person, 'get_activity', { activityId })).activity as Seen
