// The message names 'userTagId'.
import { type Client } from 'countersign'
import { createUserTag } from 'countersign/api'

export const tagId = async (ada: Client) => {
  const { result } = await ada.submit(createUserTag, { userTagName: 'officers', userIds: [] })
  const { userTagId } = result
  return userTagId
}
