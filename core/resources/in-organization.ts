import * as t from '../codec/t.ts'

/** The body of a query on the whole organization. */
export const InOrganization = t.fields({ organizationId: t.Uuid })
