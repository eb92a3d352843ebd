import type { QueryContext } from '../definition/query.ts'
import { refusal } from '../definition/refuse.ts'
import { hasEnded } from '../organization/ended.ts'
import { parentOf } from '../organization/profile.ts'
import type { Organization } from '../organization/state.ts'
import type { Turns } from '../ports/turns.ts'
import { E } from '../prelude.ts'
import type { Organizations } from '../writing/organizations.ts'
import { keptChanging } from './authenticate.ts'

type Ports = { readonly organizations: Pick<Organizations, 'fresh'>; readonly turns: Turns }

/** How states of organizations below one are read. */
export const below =
  (ports: Ports, parentId: string): QueryContext['below'] =>
  (organizationId, read) =>
    readDurably(ports, parentId, organizationId, (state) =>
      parentOf(state) === parentId && !hasEnded(state) ? read(state) : undefined,
    )

/** How the state of an organization is read that is not below another one: of this one, or of the one above it. */
export const onTop =
  (ports: Ports, organization: Organization): QueryContext['onTop'] =>
  async (read) => {
    const parentId = parentOf(organization)
    return parentId === undefined ? read(organization) : readDurably(ports, organization.organizationId, parentId, read)
  }

/**
 * Reads another state. It may be ahead of the disk: then it waits until what was read is durable, and reads again where the store has refused
 * that.
 *
 * @param asker  the id of the organization in whose turn it reads
 */
const readDurably = async <A>(
  { organizations, turns }: Ports,
  asker: string,
  organizationId: string,
  read: (state: Organization) => A | undefined,
): Promise<A | undefined> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await turns.next(asker) // there may be many, and each may have to be folded
    const loaded = await organizations.fresh(organizationId)
    if (E.isLeft(loaded)) {
      const { code, message } = loaded.left
      if (code === 'ORGANIZATION_NOT_FOUND') return undefined
      throw refusal({ code, message: `organization ${organizationId}, which is read for this, cannot be: ${message}` })
    }
    const found = read(loaded.right.state)
    if (await loaded.right.stateDurable()) return found
  }
  throw refusal(keptChanging)
}

const TRIES_MAX = 16
