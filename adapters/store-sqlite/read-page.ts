import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { Part, Recorded } from '../../core/ports/event-store.ts'
import type { Connection } from './connection.ts'
import type { PartsOfStep } from './read-parts.ts'
import type { Step } from './read-steps.ts'

/** A number of the store in JSON: a number if that is exact, otherwise a text. */
type Spelled = number | string

const ORGANIZATIONS_MAX = 100_000

/** Adds the events of a step to a list. The step must come from the same database, which knows the organizations by their keys. */
export type Unpack = (step: Step, events: Recorded[]) => void

export const unpacker = (db: Connection): Unpack => {
  const selectOrganization = db.query('SELECT id FROM organizations WHERE key = ?')
  const organizations = boundedMap<number, string>(ORGANIZATIONS_MAX)

  const organizationOf = (key: number): string => {
    const known = organizations.get(key)
    if (known !== undefined) return known
    const id = String(selectOrganization.get([BigInt(key)])?.[0])
    organizations.set(key, id)
    return id
  }

  return (step, events) => unpackWith(organizationOf, step, events)
}

// The queries select these types into the columns.
const numbers = (json = '[]'): readonly number[] => JSON.parse(json) as readonly number[]
const spelled = (json = '[]'): readonly Spelled[] => JSON.parse(json) as readonly Spelled[]
const texts = (json = '[]'): readonly string[] => JSON.parse(json) as readonly string[]

const noParts: readonly Part[] = []

const unpackWith = (
  organizationOf: (key: number) => string,
  { count, lines, organization, columns, parts }: Step,
  events: Recorded[],
): void => {
  const [lengths, positions] = [numbers(columns[0]), spelled(columns[1])]
  const [sequences, revisions] = [spelled(columns[2]), spelled(columns[3])]
  const [activities, ids] = [texts(columns[4]), texts(columns[5])]
  const organizations = numbers(columns[6]) // none where they are all the same
  const byPosition = parts === undefined ? undefined : partsByPosition(parts, typeof positions[0] === 'number')
  let at = lines.byteOffset
  for (let i = 0; i < count; i += 1) {
    const position = positions[i] ?? 0
    const length = lengths[i] ?? 0
    events.push({
      position: BigInt(position),
      organization: organizationOf(organizations[i] ?? organization),
      sequence: BigInt(sequences[i] ?? 0),
      activity: activities[i] ?? '',
      revision: BigInt(revisions[i] ?? 0),
      id: ids[i] ?? '',
      line: new Uint8Array(lines.buffer, at, length),
      parts: byPosition?.get(position) ?? noParts,
    })
    at += length
  }
}

const partsByPosition = ({ bytes, columns }: PartsOfStep, isNumber: boolean): ReadonlyMap<Spelled, readonly Part[]> => {
  const byPosition = new Map<Spelled, Part[]>()
  const [salts, lengths, names] = [numbers(columns[0]), numbers(columns[1]), texts(columns[3])]
  let at = bytes.byteOffset
  const next = (length: number) => new Uint8Array(bytes.buffer, (at += length) - length, length)
  spelled(columns[2]).forEach((place, i) => {
    const part = { name: names[i] ?? '', salt: next(salts[i] ?? 0), bytes: next(lengths[i] ?? 0) }
    const position = isNumber ? Number(place) : String(place)
    const parts = byPosition.get(position)
    if (parts === undefined) byPosition.set(position, [part])
    else parts.push(part)
  })
  return byPosition
}
