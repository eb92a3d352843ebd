import * as t from '../../codec/t.ts'
import { state, type DeepReadonly, type State } from '../../organization/state.ts'

const Tag = t.fields({ tagId: t.string, tagName: t.string, createdAtMs: t.number, updatedAtMs: t.number })
export type Tag = DeepReadonly<t.TypeOf<typeof Tag>>

/** The tags of one kind of thing, by id, in order of creation. The things have the ids of their tags. */
export type Tags = State<Map<string, t.TypeOf<typeof Tag>>>

export const tagState = (name: string): Tags =>
  state({ name, version: 1, codec: t.mapOf(Tag), initial: () => new Map() })
