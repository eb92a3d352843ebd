import * as t from '../../codec/t.ts'
import { state, type DeepReadonly } from '../../organization/state.ts'

const UserTag = t.fields({ tagId: t.string, tagName: t.string, createdAtMs: t.number, updatedAtMs: t.number })
export type UserTag = DeepReadonly<t.TypeOf<typeof UserTag>>

/** The tags of users, by id, in order of creation. The users have the ids of their tags. */
export const userTags = state({ name: 'user-tags', version: 1, codec: t.mapOf(UserTag), initial: () => new Map() })
