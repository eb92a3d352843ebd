import { Uuid } from '../codec.ts'
import { fields } from '../operations/fields.ts'

/** The body of a question about the organization as a whole. */
export const InOrganization = fields({ organizationId: Uuid })
