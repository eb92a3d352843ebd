import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { authProxy } from '../../organization/auth-proxy.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { Leaving, leavingOf, putOut } from './admitting.ts'

/** The settings stay. Enabling it again makes another user, with another key. */
export const disableAuthProxy = operation({
  type: 'ACTIVITY_TYPE_DISABLE_AUTH_PROXY',
  path: 'disable_auth_proxy',
  summary: 'Puts the auth proxy out: deletes its user, its keys and its policy, and keeps the settings.',
  resource: 'AUTH_PROXY',
  action: 'DELETE',
  intent: t.fields({}),
  result: t.fields({}),
  change: Leaving,

  execute: (_, { organization }) => {
    onlyOnTop(organization)
    if (authProxy.of(organization).admitted === undefined)
      throw refuse('REQUEST_INVALID', 'the auth proxy is not enabled')
    return { result: {}, change: leavingOf(organization) }
  },

  evolve: (draft, leaving, { sequence }) => putOut(draft, leaving, sequence),
})
