declare const madeOf: unique symbol

/**
 * An activity as a key of maps and rows. Its id alone must not be one: a caller of one organization may name the id of another
 * organization's activity, and an imported log may use an id that another log uses, too. Only `activityKey` makes such a
 * key, so the compiler refuses an id alone.
 */
export type ActivityKey = string & { readonly [madeOf]: 'organization and activity' }

/** Keeps the two names apart, whatever characters they have: as a list in JSON, which is written by hand where both are plain. */
export const activityKey = ({
  organizationId,
  activityId,
}: {
  readonly organizationId: string
  readonly activityId: string
}): ActivityKey =>
  (PLAIN.test(organizationId) && PLAIN.test(activityId)
    ? `["${organizationId}","${activityId}"]`
    : JSON.stringify([organizationId, activityId])) as ActivityKey // nothing else makes one

/** What JSON writes as it is: ids are such. */
const PLAIN = /^[\w-]*$/
