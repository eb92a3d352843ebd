import { encodeUtf8 } from '../../../core/bytes.ts'
import { exported } from '../../core/audit/logs.ts'
import { world } from '../../core/world/world.ts'

/** An honest export of an organization that has had so many activities, each with a stamp: it renames one tag again and again. */
export const longLog = async (activities: number): Promise<Uint8Array<ArrayBuffer>> => {
  const { root, done, storage, close } = await world({ executeTwice: false })
  const { result } = await done(root, 'create_user_tag', { userTagName: 'tag', userIds: [root.userId] })
  const { userTagId } = result.createUserTagResult as { readonly userTagId: string } // as the reference says
  for (let begun = 2; begun < activities; begun += 1)
    await done(root, 'update_user_tag', {
      userTagId,
      newUserTagName: `tag ${begun}`,
      addUserIds: [],
      removeUserIds: [],
    })
  const text = await exported(storage.store, 1_000)
  await close()
  return encodeUtf8(text)
}
