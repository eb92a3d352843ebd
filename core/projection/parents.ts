import { GENESIS_TYPE } from '../activity/genesis.ts'
import { isJsonObject } from '../codec/codec.ts'
import { boundedMap } from '../collections/bounded-map.ts'
import type { Parent } from '../definition/projection.ts'
import type { Failure } from '../failure.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import { LINES, type EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'

/** What stands above an organization. */
export type Above = { readonly parent: Parent | undefined }

/** Says which organization stands above another one. The second line of each log says so, and is read once. */
export type Parents = {
  /** What is known without the store: of an organization that was asked about before, and of one whose second line this is. */
  readonly known: (event: Event, position: bigint) => Above | undefined
  readonly read: (organization: string) => Promise<E.Either<Failure, Above>>
  /** Forgets all, because the store has lost events. */
  readonly forget: () => void
}

const ORGANIZATIONS_MAX = 20_000

export const parentsIn = (store: Pick<EventStore, 'readLog'>): Parents => {
  const found = boundedMap<string, Above>(ORGANIZATIONS_MAX)
  const keep = (organization: string, parent: Parent | undefined): Above => {
    const above = parent === undefined ? ON_TOP : { parent }
    found.set(organization, above)
    return above
  }
  return {
    known: (event, position) =>
      event.sequence === SECOND ? keep(event.organization, parentIn(event, position)) : found.get(event.organization),
    read: async (organization) => {
      const kept = found.get(organization)
      if (kept !== undefined) return E.right(kept)
      const lines = await store.readLog(organization, SECOND - 1n, 1, LINES)()
      if (E.isLeft(lines)) return lines
      const [second] = lines.right
      if (second === undefined) return E.right(ON_TOP) // one below another one begins with two lines at once
      const event = decodeEvent(second.line)
      // Where this version cannot read it, the organization is parked: nothing behind it is given to a projection.
      return E.right(keep(organization, E.isLeft(event) ? undefined : parentIn(event.right, second.position)))
    },
    forget: found.clear,
  }
}

const SECOND = 2n
const ON_TOP: Above = { parent: undefined }

const parentIn = ({ type, data }: Event, position: bigint): Parent | undefined => {
  if (type !== 'ActivityCompleted' || data.type !== GENESIS_TYPE || !isJsonObject(data.change)) return undefined
  const { parentId } = data.change
  return typeof parentId === 'string' ? { organizationId: parentId, position } : undefined
}
