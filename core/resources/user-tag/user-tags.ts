import { users } from '../../organization/users.ts'
import { tagging } from '../tag/tagging.ts'
import { tagState, type Tag } from '../tag/tags.ts'

export type UserTag = Tag

/** The tags of users, by id, in order of creation. The users have the ids of their tags. */
export const userTags = tagState('user-tags')

export const userTagging = tagging({ tags: userTags, things: users, thing: 'user' })
