import { isUuid } from '../../core/codec/codec.ts'
import { showsParameters } from '../../core/view/shown-request.ts'
import { detailsBy } from '../inbox/details.ts'
import { isErased, type SeenActivity } from '../inbox/seen.ts'
import { LAST, lastId } from './activities.ts'
import { detailsOf } from './activity-lines.ts'
import { print, printStyled } from './print.ts'
import { serverCalls, type CallOptions, type ServerCalls } from './server-calls.ts'
import { unusable } from './stop.ts'

export type ShowOptions = CallOptions & { readonly json?: boolean }

/** Shows an activity: who asked for what, who voted, what is missing, and who could give it. */
export const show = async (id: string, options: ShowOptions): Promise<number> => {
  const calls = await serverCalls(options)
  const activity = await activityOf(calls, id === LAST ? await lastId(calls) : id)
  const details = await detailsBy(calls, activity)
  const { request, missing, evaluations } = details
  if (options.json === true)
    print({
      activity,
      isVerified: request !== undefined && showsParameters(activity.intent, request.parameters),
      isErased: isErased(activity.votes[0]),
      policyEvaluations: evaluations,
      missing,
    })
  else printStyled(detailsOf(activity, details, calls.flags))
  return 0
}

/** The activity with this id. */
export const activityOf = async (calls: ServerCalls, text: string): Promise<SeenActivity> => {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw unusable('expected an activity: its id, or last for the newest')
  return calls.activity(id)
}
