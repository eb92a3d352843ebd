import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { allowedOrigins } from '../../organization/origins.ts'
import { Origins, originsRule } from '../origins.ts'

/**
 * Keeps the list, and has no other effect: the origins of passkeys are a feature, which only the root quorum sets. `*` alone is every origin,
 * as before the first list; an empty list is none.
 *
 * @see docs/decisions/credentials.md
 */
export const updateAllowedOrigins = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ALLOWED_ORIGINS',
  path: 'update_allowed_origins',
  summary: 'Replaces the list of origins that the organization allows.',
  resource: 'CONFIG',
  action: 'UPDATE',
  intent: t.fields({ allowedOrigins: Origins }, {}, originsRule),
  result: t.fields({}),
  change: t.fields({ allowedOrigins: t.array(t.string) }),

  execute: (intent) => ({ result: {}, change: { allowedOrigins: [...new Set(intent.allowedOrigins)] } }),

  evolve: (draft, change) => {
    allowedOrigins.in(draft).origins = [...change.allowedOrigins]
  },
})
