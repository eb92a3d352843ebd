import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { allowedOrigins, ANY_ORIGIN, mistakeInOrigins, Origins } from '../../organization/origins.ts'

/**
 * Keeps the list, and has no other effect: the origins of passkeys are a feature, which only the root quorum sets. An empty list, and
 * `*`, allow all.
 *
 * @see docs/decisions/credentials.md
 */
export const updateAllowedOrigins = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ALLOWED_ORIGINS',
  path: 'update_allowed_origins',
  summary: 'Replaces the list of origins that the organization allows.',
  resource: 'CONFIG',
  action: 'UPDATE',
  intent: t.fields({ allowedOrigins: Origins }, {}, ({ allowedOrigins: origins }) => mistakeInOrigins(origins)),
  result: t.fields({}),
  change: t.fields({ allowedOrigins: t.array(t.string) }),

  execute: ({ allowedOrigins: origins }) => ({
    result: {},
    change: { allowedOrigins: [...new Set(origins)].filter((origin) => origin !== ANY_ORIGIN) },
  }),

  evolve: (draft, change) => {
    allowedOrigins.in(draft).origins = [...change.allowedOrigins]
  },
})
