import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { users } from '../../organization/users.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { insideWork } from '../inside-work.ts'
import { READ_ONLY_SECONDS, type ReadOnlySession } from './read-only-session.ts'
import { ownerIn, sessionOwner } from './session-owner.ts'

/** The session is sealed once more: whoever reads the log does not have it. */
const brought = { session: t.personal(t.string, ''), sessionExpiry: t.number }

export const createReadOnlySession = operation({
  type: 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION',
  path: 'create_read_only_session',
  summary: 'Gives the caller a text that asks queries in their name for an hour.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: t.fields({}),
  result: t.fields({ ...sessionOwner, ...brought }),
  change: t.fields({}),
  subjects: () => [],
  isOwnCredentials: () => true,

  check: (_, { organization: { organizationId } }) => ({ organizationId }),

  perform: {
    ...insideWork,
    needs: { [DAY_SECRETS]: port<DaySecrets>() },
    whenMissing: 'unsupported',
    performed: t.fields({ userId: t.subject(t.string), ...brought }),
    run: async ({ organizationId }, { ports: { [DAY_SECRETS]: secrets }, requester, atMs }) => {
      const sessionExpiry = Math.floor(atMs / 1000) + READ_ONLY_SECONDS
      const content: ReadOnlySession = { organizationId, userId: requester, endsAtMs: sessionExpiry * 1000 }
      const session = valueOf(await secrets.seal('read-only session', JSON.stringify(content))())
      return { userId: requester, session: valueOf(await secrets.seal('result', session)()), sessionExpiry }
    },
  },

  execute: (_, { requester, organization, find, performed, atMs }) => {
    if (performed.sessionExpiry * 1000 > atMs + READ_ONLY_SECONDS * 1000)
      throw refuse('INTERNAL', 'a read-only session ends too late')
    return { result: { ...ownerIn(organization, find('user', users, requester)), ...performed }, change: {} }
  },

  evolve: () => undefined,

  encodeResult: ({ session, sessionExpiry, ...owner }, _, reveal) => ({
    ...owner,
    session: reveal(session),
    sessionExpiry: String(sessionExpiry),
  }),
})
