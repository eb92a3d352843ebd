import type { Commit } from '../../core/ports/event-store.ts'

/**
 * Commits on their way to the worker: all their bytes in one buffer, which is handed over without another copy, and
 * everything else in one flat list. Cloning them as they are takes twice as long, and a view of a pooled Buffer would
 * take the whole pool along.
 */
export type Packed = { readonly fields: readonly Field[]; readonly bytes: Uint8Array<ArrayBuffer> }
type Field = string | bigint | number | Commit['checks']

export const pack = (commits: readonly Commit[]): Packed => {
  const fields: Field[] = []
  const bytes = new Uint8Array(sizeOf(commits))
  let at = 0
  const add = (added: Uint8Array): number => {
    bytes.set(added, at)
    at += added.length
    return added.length
  }
  for (const { organization, expected, checks, events } of commits) {
    fields.push(organization, expected, checks, events.length)
    for (const { id, activity, revision, line, parts } of events) {
      fields.push(id, activity, revision, add(line), parts.length)
      for (const part of parts) fields.push(part.name, add(part.salt), add(part.bytes))
    }
  }
  return { fields, bytes }
}

export const unpack = ({ fields, bytes }: Packed): readonly Commit[] => {
  let field = 0
  let at = 0
  // Fields come in the order in which `pack` pushed them.
  const text = () => fields[field++] as string
  const number = () => fields[field++] as number
  const bigint = () => fields[field++] as bigint
  const take = (length: number): Uint8Array => bytes.subarray(at, (at += length))
  const times = <A>(length: number, make: () => A): readonly A[] => {
    const made: A[] = []
    while (made.length < length) made.push(make())
    return made
  }
  const part = () => ({ name: text(), salt: take(number()), bytes: take(number()) })
  const event = () => ({
    id: text(),
    activity: text(),
    revision: bigint(),
    line: take(number()),
    parts: times(number(), part),
  })
  const commit = () => ({
    organization: text(),
    expected: fields[field++] as Commit['expected'],
    checks: fields[field++] as Commit['checks'],
    events: times(number(), event),
  })
  const commits: Commit[] = []
  while (field < fields.length) commits.push(commit())
  return commits
}

const sizeOf = (commits: readonly Commit[]): number => {
  let size = 0
  for (const { events } of commits) {
    for (const { line, parts } of events) {
      size += line.length
      for (const part of parts) size += part.salt.length + part.bytes.length
    }
  }
  return size
}
