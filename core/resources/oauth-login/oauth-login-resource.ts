import { resource } from '../../definition/resource.ts'
import { oauth } from './oauth.ts'
import { oauthLogin } from './oauth-login.ts'

export { oauth, oauthLogin }

export const oauthLoginResource = resource({
  name: 'oauth-logins',
  operations: [oauthLogin, oauth],
})
