import { operation } from '../../definition/operation.ts'
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

  check: (login, context) => checkLogin(login, context.requester, context),

  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: Session,
    run: (toLogIn, { ports: { keyring }, atMs }) => logIn(keyring, toLogIn, atMs),
  },

  verify: async (performed, _, toLogIn) => isLogin(performed, toLogIn),

  execute: (login, context) => loggedIn(login, context.requester, context.performed, context),

  evolve: evolveIssued,

  encodeResult: ({ session }) => ({ session: shownBundle(session) }),
})
