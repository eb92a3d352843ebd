import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { ipAllowlists, OWN_LIST } from '../../organization/ip-allowlists.ts'
import { admitList, checkPublicKey, PublicKey } from './ip-allowlist-checks.ts'

/** It is no failure if there is no list: then the list is as it would be afterwards, without rules and not enabled. */
export const removeIpAllowlist = operation({
  type: 'ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST',
  path: 'remove_ip_allowlist',
  summary: 'Removes the list of allowed addresses of the organization, or of one key.',
  resource: 'CONFIG',
  action: 'DELETE',
  intent: t.fields({}, { publicKey: PublicKey }),
  result: t.fields({}),
  change: t.fields({}, { publicKey: t.string }),

  admit: ({ publicKey }, context) => admitList(publicKey, undefined, context),

  execute: (intent, { organization }) => {
    onlyOnTop(organization)
    checkPublicKey(organization, intent.publicKey)
    return { result: {}, change: intent }
  },

  evolve: (draft, { publicKey }) => {
    ipAllowlists.in(draft).delete(publicKey ?? OWN_LIST)
  },
})
