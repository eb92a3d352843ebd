import { equal } from '../bytes.ts'
import type { Event, PartBytes } from '../log/event.ts'
import { REQUEST } from '../log/parts.ts'
import { decodePersonal, encodePersonal, personalPart, personOf } from '../log/personal-part.ts'
import type { Logged } from '../log/transcript-check.ts'
import type { Auditor, Where } from './audited-log.ts'

/**
 * Checks that an event has no part which it cannot have, and that the caller's address stands where it has to stand. The operation says which
 * parts a conclusion may have.
 */
export const checkParts = (auditor: Auditor, where: Where): void => {
  const { event } = where.logged
  const mayHave = partsAllowed(auditor, event)
  for (const name of Object.keys(event.parts))
    if (!mayHave(name)) where.complain('PART_MISPLACED', 'the event names a part that it cannot have')
  checkAddress(where)
}

const partsAllowed = ({ catalogue }: Auditor, event: Event): ((name: string) => boolean) => {
  const maker = makerOf(event)
  if (maker !== undefined) return (name) => name === REQUEST || name === personalPart(maker)
  if (event.type !== 'ActivityCompleted') return () => false
  const operation = catalogue.byType(event.data.type)?.operation
  if (operation === undefined) return (name) => name !== REQUEST
  const persons = operation.personal.persons(event.data)
  return (name) => {
    const person = personOf(name)
    if (name === REQUEST) return false
    return person === undefined ? operation.mayHavePart(name) : persons.has(person)
  }
}

/** The user whose request the event rests on; undefined for events without a decision. */
export const makerOf = (event: Event): string | undefined =>
  event.type === 'ActivityCreated' ? event.data.requester : event.type === 'ActivityVoted' ? event.data.user : undefined

const checkAddress = ({ logged: { event, parts, erased }, complain }: Where): void => {
  const maker = makerOf(event)
  if (maker === undefined || !('decision' in event.data)) return
  const name = personalPart(maker)
  const isInPart = Object.hasOwn(event.parts, name)
  if (isInPart !== (event.data.decision.basis.address === undefined))
    return complain('BASIS_DIFFERS', "expected the caller's address in a part, or none in either place")
  if (!isInPart || erased.includes(name)) return
  const part = parts.find((one) => one.name === name)
  if (part === undefined) return // it has another hash, which is a finding already
  const address = decodePersonal(part.bytes)?.address
  if (address === undefined || !equal(part.bytes, encodePersonal({ address })))
    complain('BASIS_DIFFERS', "expected a part with the caller's address and nothing else")
}

/** The caller's address, as the event says it; null if it did not come over a network; undefined if it is erased, or cannot be read. */
export const addressOf = ({ event, parts }: Logged): string | null | undefined => {
  const maker = makerOf(event)
  if (maker === undefined || !('decision' in event.data)) return undefined
  const part = parts.find(({ name }) => name === personalPart(maker))
  return part === undefined ? event.data.decision.basis.address : decodePersonal(part.bytes)?.address
}

/** How something differs from what the log says. */
export type Difference = {
  readonly message: string
  /** Whether it may differ only because data of a person was erased elsewhere in the log. */
  readonly isOfErased: boolean
}

/**
 * How the parts of a conclusion differ from those that the operation gives when it is executed again; undefined where they do
 * not. Of an erased part only the name can be compared, because its salt is gone, too.
 *
 * @param isErased  whether other data of the person was erased
 */
export const partsDifference = (
  { event, parts }: Logged,
  again: PartBytes = {},
  isErased: (userId: string) => boolean = () => false,
): Difference | undefined => {
  const names = Object.keys(event.parts).filter((name) => name !== REQUEST) // `request` is misplaced here, which is a finding already
  const expected = Object.keys(again)
  if (names.length !== expected.length || !names.every((name) => Object.hasOwn(again, name)))
    return { message: 'has other parts', isOfErased: false }
  const others = parts.filter(({ name, bytes }) => name !== REQUEST && !equal(bytes, again[name] ?? NONE))
  return others.length === 0
    ? undefined
    : { message: 'gives another part', isOfErased: others.every(({ name }) => isErased(personOf(name) ?? '')) }
}

const NONE = new Uint8Array(0)
