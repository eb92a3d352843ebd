import { tagState } from '../tag/tags.ts'

/** The tags of private keys, by id, in order of creation. The keys have the ids of their tags. */
export const privateKeyTags = tagState('private-key-tags')
