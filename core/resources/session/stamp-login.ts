import { operation } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { takeUse } from '../verification/verification-token.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { evolveIssued, IssuedKey } from './issued-keys.ts'
import { checkLogin, isLogin, loggedIn, logIn, Login, loginParams, profilesAbove, Session } from './login.ts'

export const stampLogin = operation({
  type: 'ACTIVITY_TYPE_STAMP_LOGIN',
  path: 'stamp_login',
  summary: 'Begins or renews a session of the caller, with a key that the client has made.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: Login,
  result: Session,
  change: IssuedKey,
  ...loginParams,
  subjects: () => [],
  // Clients sign in before they know their own organization: they name the one above it.
  searchesBelow: true,
  // A session may open the next one, so it counts as no new credential: what it may do, its user may.
  isOwnCredentials: () => true,
  reads: profilesAbove,

  check: (login, context) => ({ toLogIn: checkLogin(login, context.requester, context), once: context.once }),

  perform: {
    ...insideWork,
    needs: { [DAY_SECRETS]: port<DaySecrets>(), ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: Session,
    run: async ({ toLogIn, once }, { ports, activityId, atMs }) => {
      if (once !== undefined) await takeUse(ports[DAY_SECRETS], 'login', once, activityId)
      return logIn(ports.keyring, toLogIn, atMs)
    },
  },

  verify: async (performed, _, { toLogIn }) => isLogin(performed, toLogIn),

  execute: (login, context) => loggedIn(login, context.requester, context.performed, context),

  evolve: evolveIssued,

  encodeResult: ({ session }) => ({ session: shownBundle(session) }),
})
