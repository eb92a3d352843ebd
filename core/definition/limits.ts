/** Limits by name: how many things of one kind are allowed. Options of the engine and events have this form. */
export type Limits = { readonly [name: string]: number }

/** One limit, as a resource defines it. */
export type Limit = {
  readonly default: number
  /** One sentence for the reference: what it counts, and per what. */
  readonly about: string
  /** The defaults of earlier versions: an audit accepts them, too. */
  readonly earlier?: readonly number[]
}

/** The limits of a resource. Made by `limits`. */
export type LimitSet<N extends string = string> = {
  readonly byName: { readonly [name in N]: Limit }
  /** The values that are in force. */
  readonly of: (context: { readonly limits: Limits }) => { readonly [name in N]: number }
}

/**
 * Defines limits of a resource.
 *
 * @example
 * export const vaultLimits = limits({ vaults: { default: 20, about: 'Per organization.' } })
 * vaultLimits.of(context).vaults
 */
export const limits = <N extends string>(byName: { readonly [name in N]: Limit }): LimitSet<N> => ({
  byName,
  of: (context) => context.limits as { readonly [name in N]: number }, // the engine has a value for each limit of its resources
})
