// The message names 'userid'.
import { type Client } from 'countersign'
import { getUser } from 'countersign/api'

export const ask = (ada: Client) => ada.query(getUser, { userid: '' })
