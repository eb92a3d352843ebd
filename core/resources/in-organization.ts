import { Uuid } from '../codec/codec.ts'
import { fields } from '../codec/fields.ts'

/** The body of a query on the whole organization. */
export const InOrganization = fields({ organizationId: Uuid })
