import type { Failure, Json } from '../../../core/failure.ts'
import type { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import type { Signer } from './signers.ts'

/** A stamped body. It may be sent more than once, and by more than one person. */
export type Letter = {
  readonly organizationId: string
  readonly path: string
  readonly body: Uint8Array
  readonly signer: Signer
  readonly answers: Heard[]
  /** To which lives of which processes it was sent, and neither answered nor cut off. */
  readonly underWay: Set<object>
}

export type Answer = E.Either<Failure, ActivityView>

/** An answer, and how often the store had gone back when it was asked for. */
export type Heard = { readonly answer: Answer; readonly era: number }

/** What a history must not show, with its place. */
export type Violation = { readonly promise: string; readonly detail: string }

export type Members = { readonly [member: string]: Json }
