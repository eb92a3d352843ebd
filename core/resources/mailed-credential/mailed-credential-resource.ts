import { resource } from '../../definition/resource.ts'
import { emailAuth } from './email-auth.ts'
import { initUserEmailRecovery } from './init-user-email-recovery.ts'
import { recoverUser } from './recover-user.ts'

export { emailAuth, initUserEmailRecovery, recoverUser }

export const mailedCredentialResource = resource({
  name: 'mailed-credentials',
  operations: [emailAuth, initUserEmailRecovery, recoverUser],
})
