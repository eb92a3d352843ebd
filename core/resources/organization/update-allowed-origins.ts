import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { allowedOrigins, isOrigin } from '../../organization/origins.ts'

/** The most origins of an organization. */
export const ORIGINS_MAX = 100

const Origin = t.refined(t.string, 'an exact origin, such as https://app.example.com', isOrigin)

/**
 * Keeps the list, and has no other effect: the origins of passkeys are a feature, which only the root quorum sets. An empty list removes
 * all.
 *
 * @see docs/decisions/credentials.md
 */
export const updateAllowedOrigins = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ALLOWED_ORIGINS',
  path: 'update_allowed_origins',
  summary: 'Replaces the list of origins that the organization allows.',
  resource: 'CONFIG',
  action: 'UPDATE',
  intent: t.fields({ allowedOrigins: t.list(Origin) }, {}, ({ allowedOrigins: origins }) => {
    const isRight = origins.length <= ORIGINS_MAX && new Set(origins).size === origins.length
    return isRight ? undefined : { member: 'allowedOrigins', expected: `at most ${ORIGINS_MAX} origins, each once` }
  }),
  result: t.fields({}),
  change: t.fields({ allowedOrigins: t.array(t.string) }),

  execute: (intent) => ({ result: {}, change: intent }),

  evolve: (draft, change) => {
    allowedOrigins.in(draft).origins = [...change.allowedOrigins]
  },
})
