declare const madeOf: unique symbol

/**
 * The key of an activity in maps and rows. The id alone is no key: a caller of one organization may name the id of another
 * organization's activity, and an imported log may use an id of another log. Only `activityKey` makes such a key, so the compiler
 * refuses an id alone.
 */
export type ActivityKey = string & { readonly [madeOf]: 'organization and activity' }

/** Makes a key of both ids, as a list in JSON: so two different pairs never have the same key, with any characters. */
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

/** Texts that JSON writes without escapes, like all ids. */
const PLAIN = /^[\w-]*$/
