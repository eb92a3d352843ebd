// The message names 'userTagId'.
import { createUserTag, type Client } from 'countersign'

export const tagId = async (ada: Client) => {
  const { result } = await ada.submit(createUserTag, { userTagName: 'officers', userIds: [] })
  const { userTagId } = result
  return userTagId
}
