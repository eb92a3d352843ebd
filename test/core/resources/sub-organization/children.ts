import type { Json } from '../../../../core/failure.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { beginBelow, world, type Place, type World, type WorldOptions } from '../../world/world.ts'

/** A world with all that only some engines offer. */
export const family = (options: WorldOptions = {}): Promise<World> =>
  world({ resources: [...publicApi, ...erasure, ...webhookOperations], ...options })

/** The parameters that begin an organization whose root users have these keys. */
export const beginning = (...users: readonly { readonly name: string; readonly publicKey: string }[]): Json => ({
  subOrganizationName: 'below',
  rootQuorumThreshold: 1,
  rootUsers: users.map(({ name, publicKey }) => ({
    userName: name,
    userEmail: `${name}@example.com`,
    apiKeys: [{ apiKeyName: `key of ${name}`, publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
  })),
})

/** Begins an organization below that of the world, or below another one in it. */
export const childOf = (w: World, name?: string): Promise<Place> => beginBelow(w, w, name)
