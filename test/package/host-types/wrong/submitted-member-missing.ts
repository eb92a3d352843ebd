// The message names 'userIds'.
import { createUserTag, type Client } from 'countersign'

export const submit = (ada: Client) => ada.submit(createUserTag, { userTagName: 'officers' })
