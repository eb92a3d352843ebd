import { failure, type Failure } from '../failure.ts'
import { profile } from './profile.ts'
import type { Organization } from './state.ts'

/** Whether it was deleted: its log stays, and nobody is let in any more. */
export const hasEnded = (organization: Organization): boolean => profile.of(organization).endedBy !== undefined

/** The same refusal for an organization that never was and for one that has ended. */
export const organizationNotFound = (organizationId: string): Failure =>
  failure('ORGANIZATION_NOT_FOUND', `no organization found with the given ID ${organizationId}`)
