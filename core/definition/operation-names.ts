/** A type without prefix and version: `activity.kind`. */
export const kindOf = (type: string): string => type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V[0-9]+$/, '')

/** The version of a type, such as `V4`; empty for the first. */
export const versionSuffix = (type: string): string => /_(V[0-9]+)$/.exec(type)?.[1] ?? ''

/** A path in camelCase, as the wire spells members. */
export const camelCase = (path: string): string =>
  path.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
