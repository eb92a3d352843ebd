// The message names 'userIds'.
import { type Client } from 'countersign'
import { createUserTag } from 'countersign/api'

export const submit = (ada: Client) => ada.submit(createUserTag, { userTagName: 'officers' })
