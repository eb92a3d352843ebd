import { resource } from '../../definition/resource.ts'
import { emailEvents } from './email-events.ts'
import { listEmailEvents } from './list-email-events.ts'

export { listEmailEvents }

export const emailEventResource = resource({
  name: 'email-events',
  queries: [listEmailEvents],
  projections: [emailEvents],
})
