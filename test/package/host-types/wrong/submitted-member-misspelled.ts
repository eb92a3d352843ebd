// The message names 'userTagNam'.
import { type Client } from 'countersign'
import { createUserTag } from 'countersign/api'

export const submit = (ada: Client) => ada.submit(createUserTag, { userTagNam: 'officers', userIds: [] })
