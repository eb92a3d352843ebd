/* As whom a command speaks to a server. */
import type { Credentials } from '../credentials/credentials-file.ts'
import { say } from './print.ts'
import { shellWord } from './shell.ts'

/** Which credentials and which server a command was given. */
export type CallerOptions = { readonly credentials: string; readonly url?: string }

/** The flags with which a command for people to paste speaks to the same server as the same user. */
export const callerFlags = ({ credentials, url }: CallerOptions): string =>
  ` --credentials ${shellWord(credentials)}${url === undefined ? '' : ` --url ${shellWord(url)}`}`

/** Says as whom a command speaks. It comes from the credentials alone, because a server could give any name. */
export const sayCaller = (
  file: string,
  { apiPublicKey, organizationId, userId }: Pick<Credentials, 'apiPublicKey' | 'organizationId' | 'userId'>,
): void => {
  const user = userId === undefined ? '' : `, user ${userId}`
  const organization = organizationId === undefined ? '' : `, organization ${organizationId}`
  say(`As the holder of the key ${apiPublicKey} in ${file}${user}${organization}`)
}
