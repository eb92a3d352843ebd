import type { NewEvent, Standing } from '../../core/ports/event-store.ts'
import type { Value } from './driver.ts'

export type Place = {
  readonly key: bigint
  readonly organization: string
  readonly sequence: bigint
  readonly position: bigint
}

/** The rows of a group, column by column: one statement inserts all of them. */
export type GroupRows = {
  readonly addOrganization: (key: bigint, id: string) => void
  readonly addEvent: (place: Place, event: NewEvent) => void
  readonly isEmpty: () => boolean
  /** The columns, as the values of the statement that inserts into each table; `undefined` where there is no row. */
  readonly organizations: () => readonly Value[] | undefined
  readonly events: () => readonly Value[] | undefined
  readonly parts: () => readonly Value[] | undefined
  readonly standings: () => readonly Value[] | undefined
}

type Began = { readonly sequence: bigint; readonly position: bigint }
type Stood = Standing & { readonly key: bigint; readonly activity: string; readonly began: Began | undefined }

export const groupRows = (): GroupRows => {
  const keys: bigint[] = []
  const ids: string[] = []
  const places: Place[] = []
  const events: NewEvent[] = []
  const begun = new Map<string, Began>()
  const standings = new Map<string, Stood>()

  const stand = ({ key, sequence, position }: Place, { activity, revision, standing }: NewEvent): void => {
    const name = `${key} ${activity}`
    if (revision === 1n) begun.set(name, { sequence, position })
    if (standing === undefined) return
    const type = standing.type ?? standings.get(name)?.type
    standings.set(name, { key, activity, began: begun.get(name), type, status: standing.status })
  }

  const column = <A extends Value>(of: (event: NewEvent, place: Place) => A): A[] =>
    events.map((event, i) => of(event, places[i] as Place)) // as many as there are events

  return {
    addOrganization: (key, id) => {
      keys.push(key)
      ids.push(id)
    },
    addEvent: (place, event) => {
      places.push(place)
      events.push(event)
      stand(place, event)
    },
    isEmpty: () => events.length === 0,
    organizations: () => (keys.length === 0 ? undefined : [keys, ids]),
    events: () =>
      events.length === 0
        ? undefined
        : [
            column((_, { position }) => position),
            column((_, { key }) => key),
            column((_, { sequence }) => sequence),
            column(({ revision }) => revision),
            column(({ activity }) => activity),
            column(({ id }) => id),
            ...packed(events.map(({ line }) => line)),
          ],
    parts: () => {
      const all = events.flatMap(({ parts }, i) =>
        parts.map((part, ordinal) => ({ ...part, ordinal, position: places[i]?.position ?? 0n })),
      )
      if (all.length === 0) return undefined
      return [
        all.map(({ position }) => position),
        all.map(({ ordinal }) => BigInt(ordinal)),
        all.map(({ name }) => name),
        ...packed(all.map(({ salt }) => salt)),
        ...packed(all.map(({ bytes }) => bytes)),
      ]
    },
    standings: () => {
      const all = [...standings.values()]
      if (all.length === 0) return undefined
      return [
        all.map(({ key }) => key),
        all.map(({ activity }) => activity),
        all.map(({ began }) => began?.sequence ?? null),
        all.map(({ began }) => began?.position ?? null),
        all.map(({ type }) => type ?? null),
        all.map(({ status }) => status),
      ]
    },
  }
}

/**
 * Byte strings as three values: all of them behind one another, where each begins (from 1), and how long it is. `pg` sends one byte string
 * as it is; a list of them would become hex, twice as long.
 */
export const packed = (all: readonly Uint8Array[]): [Uint8Array, bigint[], bigint[]] => {
  let at = 1n
  const starts: bigint[] = []
  const lengths: bigint[] = []
  for (const { length } of all) {
    starts.push(at)
    lengths.push(BigInt(length))
    at += BigInt(length)
  }
  return [Buffer.concat(all), starts, lengths]
}
