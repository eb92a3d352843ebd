import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { placeIn, world, type Person, type Place, type World, type WorldOptions } from '../../world/world.ts'

/** A world that can erase. */
export const family = (options: WorldOptions = {}): Promise<World> =>
  world({ resources: [...publicApi, ...erasure], ...options })

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

/** What an activity has begun. */
export const begunBy = ({ result }: ActivityView) =>
  result.createSubOrganizationResultV8 as {
    readonly subOrganizationId: string
    readonly rootUserIds: readonly string[]
  }

/** Begins an organization below one, with one root user. */
export const childOf = async (w: World, name = 'eve', by: Person = w.root): Promise<Place> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const made = await w.done(by, 'create_sub_organization', beginning({ name, publicKey: key.publicKey }))
  const { subOrganizationId, rootUserIds } = begunBy(made)
  return placeIn(w, subOrganizationId, { key, userId: rootUserIds[0] ?? '', apiKeyId: '' })
}
