import type { Services } from '../../core/definition/port.ts'
import { oauth2Providers } from '../oauth2/index.ts'
import { unusable } from './stop.ts'

/** What asks providers of OAuth2, by the flags. */
export type Oauth2Options = {
  /** The URL at which the world finds the server, by which its identity tokens name it. */
  readonly publicUrl?: string
  /** Where X and Discord are asked; `none`: not at all. */
  readonly oauth2XUrl?: string
  readonly oauth2DiscordUrl?: string
  readonly allowPrivateNetwork: boolean
}

/** The service of the port `oauth2`. */
export const openOauth2 = ({ oauth2XUrl, oauth2DiscordUrl, allowPrivateNetwork }: Oauth2Options): Services => ({
  oauth2: oauth2Providers({
    xUrl: urlOf('--oauth2-x-url', oauth2XUrl),
    discordUrl: urlOf('--oauth2-discord-url', oauth2DiscordUrl),
    allowPrivateNetwork,
  }),
})

const NONE = 'none'

const urlOf = (flag: string, given: string | undefined): string | null | undefined => {
  if (given === undefined || given === NONE) return given === NONE ? null : undefined
  if (!/^https?:\/\/[^\s?#]+$/.test(given) || !URL.canParse(given))
    throw unusable(`${flag}: expected a URL such as https://api.example.com, or ${NONE}`)
  return given
}
