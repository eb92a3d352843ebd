// The message names 'userid'.
import { getUser, type Client } from 'countersign'

export const ask = (ada: Client) => ada.query(getUser, { userid: '' })
