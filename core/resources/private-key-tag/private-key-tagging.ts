import { privateKeys } from '../private-key/private-keys.ts'
import { tagging } from '../tag/tagging.ts'
import { privateKeyTags } from './private-key-tags.ts'

export const privateKeyTagging = tagging({ tags: privateKeyTags, things: privateKeys, thing: 'private key' })
