import { E } from '../../core/prelude.ts'
import { contradicts } from '../../core/view/contradiction.ts'
import { provenRequest, type Unfit } from '../../core/view/shown-request.ts'
import { isErased, type SeenActivity, type SeenRequest } from './seen.ts'

/** Whether people may trust what a server shows of an activity. */
export type Judgement =
  /** The request is proven. `body` is the text that was stamped, exactly; the parameters are read from it, and not from the intent. */
  | { readonly kind: 'shown'; readonly request: SeenRequest; readonly body: string }
  /** The request is proven, and the intent that the server shows beside it says otherwise: the server lies. */
  | { readonly kind: 'contradicted'; readonly request: SeenRequest; readonly body: string }
  /** The server says that the request was erased or left out: nobody can verify what was asked. */
  | { readonly kind: 'erased' }
  /** What does not fit, where the server shows a request, and another one than the activity stands for. */
  | { readonly kind: 'unproven'; readonly why: Unfit }

/**
 * Judges what a server shows of an activity. Only what is `shown` may be approved.
 *
 * @param organizationId  of the caller, in lower case
 */
export const judged = (activity: SeenActivity, organizationId: string): Judgement => {
  const request = provenRequest(activity, organizationId)
  if (E.isLeft(request)) {
    const why = request.left
    return why === 'body' && isErased(activity.votes[0]) ? { kind: 'erased' } : { kind: 'unproven', why }
  }
  const { vote, parameters } = request.right
  const kind = contradicts(activity.intent, parameters) ? 'contradicted' : 'shown'
  return { kind, request: request.right, body: vote.message }
}
