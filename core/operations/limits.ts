/** Limits on the number of resources; options of the engine, and part of a decision's basis where they are not the default. */
export type Limits = {
  /** Per organization. */
  readonly users: number
  /** Per organization. */
  readonly userTags: number
  /** Per organization. */
  readonly policies: number
  /** Per user: keys without an expiration. */
  readonly longLivedApiKeys: number
  /** Per user: keys with an expiration; one more evicts an expired or the oldest. */
  readonly expiringApiKeys: number
}

export const defaultLimits: Limits = {
  users: 100,
  userTags: 100,
  policies: 100,
  longLivedApiKeys: 10,
  expiringApiKeys: 10,
}
