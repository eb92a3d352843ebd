import type { Operation } from '../../../core/definition/operation.ts'
import type { Json } from '../../../core/failure.ts'
import { anyPasskey } from '../world/software-passkey.ts'
import { NOBODY } from './example.ts'
import { ADA, publicKey } from './execute.ts'
import { kindOfId } from './leaves.ts'
import type { Door, Done } from './scene.ts'

/*
 * Examples as they are drawn: about any user, with names and keys that others may have, beginning with things that may be gone, and with
 * members that stood in other requests.
 */

/** Draws out of a list of numbers, round and round. */
export type Draw = {
  readonly number: (max: number) => number
  /** One entry of a list, or none of an empty one. */
  readonly some: <A>(list: readonly A[]) => readonly A[]
  readonly chance: (one: number, of: number) => boolean
}

export const drawFrom = (numbers: readonly number[]): Draw => {
  let at = 0
  const number = (max: number): number => (numbers[at++ % numbers.length] ?? 0) % max
  return {
    number,
    some: (list) => (list.length === 0 ? [] : list.slice(number(list.length)).slice(0, 1)),
    chance: (one, of) => number(of) < one,
  }
}

/** What was seen in the requests and results of one run. */
export type Memory = {
  readonly keep: (operation: Operation, done: Done) => void
  readonly made: (operation: Operation) => readonly Done[]
  /** The parameters with other members here and there, which stood in requests and results before. */
  readonly varied: (parameters: Json, draw: Draw) => Json
}

export const anyMemory = (): Memory => {
  const made = new Map<Operation, Done[]>()
  const seen = new Map<string, Json[]>()
  const see = (value: Json, member: string): void => {
    if (typeof value !== 'object' || value === null) seen.set(member, [...(seen.get(member) ?? []), value])
    else for (const [name, inner] of Object.entries(value)) see(inner, Array.isArray(value) ? member : kindOfId(name))
  }
  const varied = (value: Json, draw: Draw, member: string): Json => {
    if (Array.isArray(value)) {
      const entries: readonly Json[] = value
      const kept = entries.filter(() => !draw.chance(1, 5)).map((entry) => varied(entry, draw, member))
      const added = draw.chance(1, 5) ? draw.some(seen.get(member) ?? []) : []
      return [...new Set([...kept, ...added])]
    }
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]: readonly [string, Json]) => [
          name,
          varied(inner, draw, kindOfId(name)),
        ]),
      )
    if (typeof value === 'number') return draw.chance(1, 3) ? draw.number(3) : value
    if (member.endsWith('Id') && draw.chance(1, 20)) return NOBODY
    const [other = value] = draw.chance(1, 10) ? draw.some(seen.get(member) ?? []) : []
    return other
  }
  return {
    keep: (operation, done) => {
      made.set(operation, [...(made.get(operation) ?? []), done])
      see(done.result as Json, '') // a result
    },
    made: (operation) => made.get(operation) ?? [],
    varied: (parameters, draw) => {
      const other = varied(parameters, draw, '')
      see(parameters, '')
      return other
    },
  }
}

const PASSKEYS = Array.from({ length: 4 }, () => anyPasskey())

/** @param userIds  whom examples may be about */
export const drawnDoor = (
  draw: Draw,
  memory: Memory,
  userIds: readonly string[],
  { submit, ask }: Pick<Door, 'submit' | 'ask'>,
): Door => ({
  root: ADA,
  user: draw.some(userIds)[0] ?? NOBODY,
  submit,
  ask,
  recall: (operation) => (draw.chance(3, 4) ? draw.some(memory.made(operation))[0] : undefined),
  words: () => ({
    text: (member) => `${member.toLowerCase()}${draw.number(5)}`,
    phoneNumber: () => `+44123456789${draw.number(3)}`,
    publicKey: () => publicKey(draw.number(60) + 1),
    passkey: () => PASSKEYS[draw.number(PASSKEYS.length)] ?? anyPasskey(),
  }),
})
