import type { Resource } from '../definition/resource.ts'
import * as api from './api.ts'
import { eraseUser, knownErasures } from './erasure/erasure.ts'

/** Every resource of the public API that this version offers. */
export const publicApi: readonly Resource[] = Object.values(api).filter((one) => 'operations' in one)

/** The resources, with those added that are needed to read logs: what creates organizations, and what erases personal data. */
export const withBeginning = (resources: readonly Resource[]): readonly Resource[] => {
  const begun = resources.includes(api.organizationResource) ? resources : [api.organizationResource, ...resources]
  return begun.some(({ operations }) => operations.includes(eraseUser)) ? begun : [...begun, knownErasures]
}
