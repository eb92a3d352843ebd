import type { Commit, NewEvent } from '../../core/ports/event-store.ts'

/**
 * Commits for the worker: all their bytes in one buffer, which is transferred without another copy, and everything else in one flat list.
 * Cloning the commits takes twice as long, and a view of a pooled Buffer would copy the whole pool. Each entry of the list costs time in
 * both threads, so a value that equals the one before is `null`.
 */
export type Packed = { readonly fields: readonly Field[]; readonly bytes: Transferable }
type Transferable = Uint8Array & { readonly buffer: ArrayBuffer } // the compilers that hosts may have know no Uint8Array<ArrayBuffer>
type Field = string | bigint | number | null

export const pack = (commits: readonly Commit[]): Packed => {
  const fields: Field[] = []
  const bytes = new Uint8Array(sizeOf(commits))
  let at = 0
  const add = (added: Uint8Array): number => {
    bytes.set(added, at)
    at += added.length
    return added.length
  }
  let before = ''
  for (const { organization, expected, after, checks, events } of commits) {
    fields.push(organization === before ? null : organization)
    before = organization
    fields.push(typeof expected === 'bigint' ? spelled(expected) : expected, after ?? null, checks.length)
    for (const check of checks) fields.push(check.organization, spelled(check.sequence), check.after ?? null)
    fields.push(events.length)
    let last: string | undefined
    for (const { id, activity, revision, line, parts, standing } of events) {
      fields.push(id, activity === last ? null : activity, spelled(revision), add(line), parts.length)
      fields.push(standing?.status ?? null)
      if (standing !== undefined) fields.push(standing.type ?? null)
      last = activity
      for (const part of parts) fields.push(part.name, add(part.salt), add(part.bytes))
    }
  }
  return { fields, bytes }
}

/** The commits of `pack`, whose bytes are views of its buffer. */
export const unpack = (packed: Packed): readonly Commit[] => {
  const { fields, bytes } = packed
  let field = 0
  let at = 0
  // Fields come in the order in which `pack` pushed them.
  const next = (): Field => fields[field++] ?? null
  const take = (): Uint8Array => bytes.subarray(at, (at += next() as number))
  const part = () => ({ name: next() as string, salt: take(), bytes: take() })
  const idOf = (field: Field): string | undefined => (field ?? undefined) as string | undefined
  const check = () => ({ organization: next() as string, sequence: bigint(next()), after: idOf(next()) })
  const standingOf = (status: Field): NewEvent['standing'] =>
    status === null ? undefined : { status: status as string, type: (next() ?? undefined) as string | undefined }
  let organization = ''
  const commit = (): Commit => {
    organization = (next() as string | null) ?? organization
    const expected = expectedOf(next())
    const after = idOf(next())
    const checks = times(next(), check)
    let activity = ''
    const event = (): NewEvent => {
      const id = next() as string
      activity = (next() as string | null) ?? activity
      const revision = bigint(next())
      const line = take()
      const length = next()
      const standing = standingOf(next())
      return { id, activity, revision, line, parts: times(length, part), standing }
    }
    return { organization, expected, after, checks, events: times(next(), event) }
  }
  const commits: Commit[] = []
  while (field < fields.length) commits.push(commit())
  return commits
}

/** An integer for the worker: as a number if that is exact, because numbers cost less than bigints. */
export const spelled = (integer: bigint): bigint | number =>
  integer <= SAFE_MAX && integer >= -SAFE_MAX ? Number(integer) : integer

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const bigint = (field: Field): bigint => BigInt(field as bigint | number) // an integer, or `spelled` as one

const expectedOf = (field: Field): Commit['expected'] => (field === 'none' || field === 'any' ? field : bigint(field))

const times = <A>(length: Field, make: () => A): readonly A[] => {
  const made: A[] = []
  while (made.length < (length as number)) made.push(make()) // a length was pushed
  return made
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
