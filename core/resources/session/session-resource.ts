import { resource } from '../../definition/resource.ts'
import { createReadOnlySession } from './create-read-only-session.ts'
import { createReadWriteSession } from './create-read-write-session.ts'
import { sessionLimits } from './session-limits.ts'
import { stampLogin } from './stamp-login.ts'

export { createReadOnlySession, createReadWriteSession, stampLogin }

export const sessionResource = resource({
  name: 'sessions',
  limits: sessionLimits,
  operations: [stampLogin, createReadWriteSession, createReadOnlySession],
})
