/**
 * Demands that a value has no member that its codec does not know: the codec would drop the member without a word. `A` is the type of the
 * value, `B` the type of the codec. Each surplus member gets the type `never`, at any depth, so that the compiler refuses it by its name.
 * Members of maps, sets, bytes and functions are not looked at.
 */
export type NoSurplus<A, B> = [B] extends [A] ? unknown : Looked<A, B>

// Most values need no look at their members. Type parameters of a host cannot be looked at, and pass there.
type Looked<A, B> = unknown extends B
  ? unknown
  : A extends Whole
    ? unknown
    : A extends readonly (infer One)[]
      ? readonly NoSurplus<One, Extract<B, readonly unknown[]>[number]>[]
      : A extends object
        ? { readonly [K in keyof A]: K extends NamesOf<B> ? NoSurplus<A[K], MemberOf<B, K>> : never }
        : unknown

/** Values that have no members of a codec. */
type Whole =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Uint8Array
  | Date
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never) => unknown)

/** The names of the members of all types of a union. */
type NamesOf<B> = B extends unknown ? keyof B : never

/** The types that a member has in the types of a union that have it. */
type MemberOf<B, K> = B extends unknown ? (K extends keyof B ? B[K] : never) : never
