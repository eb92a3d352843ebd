import type { QueryContext } from '../definition/query.ts'
import { refusal } from '../definition/refuse.ts'
import { hasEnded } from '../organization/ended.ts'
import { parentOf } from '../organization/profile.ts'
import type { Turns } from '../ports/turns.ts'
import { E } from '../prelude.ts'
import type { Organizations } from '../writing/organizations.ts'
import { keptChanging } from './authenticate.ts'

type Ports = { readonly organizations: Pick<Organizations, 'fresh'>; readonly turns: Turns }

/**
 * How states of organizations below one are read. The state may be ahead of the disk: then it waits until what was read is durable, and reads
 * again where the store has refused that.
 */
export const below =
  ({ organizations, turns }: Ports, parentId: string): QueryContext['below'] =>
  async (organizationId, read) => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      await turns.next(parentId) // there may be many, and each may have to be folded
      const loaded = await organizations.fresh(organizationId)
      if (E.isLeft(loaded)) {
        const { code, message } = loaded.left
        if (code === 'ORGANIZATION_NOT_FOUND') return undefined
        throw refusal({
          code,
          message: `organization ${organizationId}, which is read for this, cannot be: ${message}`,
        })
      }
      const { state } = loaded.right
      const found = parentOf(state) === parentId && !hasEnded(state) ? read(state) : undefined
      if (await loaded.right.stateDurable()) return found
    }
    throw refusal(keptChanging)
  }

const TRIES_MAX = 16
