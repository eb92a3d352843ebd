import { resource, type Resource } from '../../definition/resource.ts'
import { eraseUser } from './erase-user.ts'
import { listPersonalPlaces } from './list-personal-places.ts'

export { eraseUser, listPersonalPlaces }

/**
 * The erasure of personal data. It is no part of the public API, because its clients refuse types of activities that they do not know:
 * a host adds it.
 *
 * @example createEngine({ resources: [...publicApi, ...erasure], … })
 */
export const erasure: readonly Resource[] = [
  resource({ name: 'erasure', operations: [eraseUser], queries: [listPersonalPlaces] }),
]
