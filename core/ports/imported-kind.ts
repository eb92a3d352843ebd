/** How a secret came in: the activity that has brought it, the time of the log when it did, in milliseconds, and the id of the target. */
export type Arrival = { readonly activityId: string; readonly atMs: number; readonly targetId: string }

/**
 * The kind of a sealed row whose secret came from outside: it also says how it came. So a row can be found that its activity has left behind, and
 * nobody can make it one of another activity, because the kind is bound to what is sealed.
 */
export const importedKind = (kind: string, { activityId, atMs, targetId }: Arrival): string =>
  [kind, activityId, atMs, targetId].join(' ')

/** What was sealed, and how it came in, if it did. */
export const readKind = (kind: string): { readonly what: string; readonly arrival?: Arrival } => {
  const [what = '', activityId, atMs, targetId] = kind.split(' ')
  return activityId === undefined || targetId === undefined
    ? { what }
    : { what, arrival: { activityId, atMs: Number(atMs), targetId } }
}
