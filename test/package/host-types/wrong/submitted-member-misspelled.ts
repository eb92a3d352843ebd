// The message names 'userTagNam'.
import { createUserTag, type Client } from 'countersign'

export const submit = (ada: Client) => ada.submit(createUserTag, { userTagNam: 'officers', userIds: [] })
