import { ownError } from '../telemetry/tell-thrown.ts'
import type * as t from 'io-ts'
import type { Json } from '../failure.ts'

/** The definition of a resource's state. */
export type StateSpec<S> = {
  /** Unique among the states of an engine. Snapshots contain it. */
  readonly name: string
  /**
   * Raise it when the codec writes another form, or when `evolve` makes another state from old changes. The upcasters bring a snapshot of
   * an older version up to date; without them it is not used.
   */
  readonly version: number
  /** Writes the state into a snapshot, and reads it from there. */
  readonly codec: t.Type<S, unknown, unknown>
  /** The state before the first change. */
  readonly initial: () => NoInfer<S>
  /** The upcaster at a version turns the JSON of that version into the JSON of the next. */
  readonly upcasters?: { readonly [from: number]: (older: Json) => Json }
}

/** The state of one kind of thing in an organization. Made by `state`. */
export type State<S> = AnyState & {
  /** The state, read-only. */
  readonly of: (organization: Organization) => DeepReadonly<S>
  /** The state, to be changed in place. Only `evolve` may use it. */
  readonly in: (draft: Draft) => S
}

/** A state as the engine sees it: the engine keeps its value, and does not know the value's type. */
export type AnyState = {
  readonly name: string
  readonly version: number
  readonly initial: () => unknown
  readonly encode: (value: unknown) => Json
  /** The value in a snapshot; `undefined` if it cannot be read, or if there is no upcaster from its version. */
  readonly decode: (version: number, written: Json) => { readonly value: unknown } | undefined
}

/** A type with all its members, maps, sets and lists read-only. */
export type DeepReadonly<A> = unknown extends A
  ? A
  : A extends string | number | boolean | bigint | null | undefined | Uint8Array | Date
    ? A
    : A extends ReadonlyMap<infer K, infer V>
      ? ReadonlyMap<K, DeepReadonly<V>>
      : A extends ReadonlySet<infer V>
        ? ReadonlySet<DeepReadonly<V>>
        : A extends readonly (infer V)[]
          ? readonly DeepReadonly<V>[]
          : { readonly [K in keyof A]: DeepReadonly<A[K]> }

/** A value that a function may give for an `A`: it may be read-only. */
export type Given<A> = A | DeepReadonly<A>

/** The value of one state. `changes` counts the calls of `in`. */
export type Slot = { readonly state: AnyState; readonly value: unknown; changes: number }

/**
 * The state of an organization: the states of its resources, each the fold of the changes of completed activities. A fold owns a
 * `Draft` and changes it in place; all other code sees it as `Organization`, read-only.
 *
 * All times in it are times of the log, in milliseconds since the epoch.
 */
export type Organization = {
  readonly organizationId: string
  /** By the name of the state. A state that nobody has changed yet may be missing. */
  readonly slots: ReadonlyMap<string, Slot>
}

declare const isDraft: unique symbol
/** An organization that may be changed: only a fold has one. */
export type Draft = Organization & {
  readonly [isDraft]: true
  readonly slots: Map<string, Slot>
  /** The states of the engine, by name. Without it, any state is allowed. */
  readonly known?: ReadonlyMap<string, AnyState> | undefined
}

/**
 * The organization before its first event.
 *
 * @param known  the states that may be changed: `in` throws for any other state, because snapshots would not know it
 */
export const initial = (organizationId: string, known?: ReadonlyMap<string, AnyState>): Draft =>
  ({ organizationId, slots: new Map(), known }) as Draft // the only place that makes a draft

/**
 * Defines the state of a resource.
 *
 * @example
 * export const userTags = state({ name: 'user-tags', version: 1, codec: mapOf(UserTag), initial: () => new Map() })
 * userTags.of(organization).get(tagId)
 */
export const state = <S>({ name, version, codec, initial: first, upcasters = {} }: StateSpec<S>): State<S> => {
  const untouched = first() // the value of a state without changes; it is read-only for all callers
  const self: AnyState = {
    name,
    version,
    initial: first,
    encode: (value) => codec.encode(value as S) as Json, // the value is of this state; codecs of states write JSON
    decode: (from, written) => {
      let current: Json = written
      for (let at = from; at < version; at += 1) {
        const upcast = upcasters[at]
        if (upcast === undefined) return undefined
        current = upcast(current)
      }
      const decoded = from <= version ? codec.decode(current) : undefined
      return decoded?._tag === 'Right' ? { value: decoded.right } : undefined
    },
  }
  return {
    ...self,
    of: ({ slots }) => (slots.get(name)?.value ?? untouched) as DeepReadonly<S>, // only `in` and `decode` fill the slot
    in: ({ slots, known }) => {
      let slot = slots.get(name)
      if (slot === undefined) {
        if (known?.has(name) === false)
          throw ownError(`no resource of this engine lists the state ${name}: add it to \`states\` of the resource`)
        slots.set(name, (slot = { state: self, value: first(), changes: 0 }))
      }
      slot.changes += 1
      return slot.value as S // as above
    },
  }
}
