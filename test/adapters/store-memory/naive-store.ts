import type { Appended, Commit, NewEvent } from '../../../core/ports/event-store.ts'

type Stored = NewEvent & { readonly organization: string; readonly sequence: bigint; readonly position: bigint }

/**
 * The rules of `append` once more, without a thought of speed: one list, searched from end to end. Knows nothing of
 * malformed commits, for its tests make none.
 */
export const naiveStore = (firstPosition = 1n) => {
  const all: Stored[] = []
  const log = (organization: string) => all.filter((event) => event.organization === organization)
  const last = (organization: string) => log(organization).at(-1) ?? { sequence: 0n, position: 0n }
  const stream = (organization: string, activity: string) =>
    log(organization).filter((event) => event.activity === activity)

  const known = ({ organization, events }: Commit): Appended | undefined => {
    const found = events.map(({ id }) => all.find((event) => event.id === id))
    if (found.every((event) => event === undefined)) return undefined
    const at = log(organization).findIndex(({ id }) => id === events[0]?.id)
    const original = at < 0 ? [] : log(organization).slice(at, at + events.length)
    const isSame = bytesOf(original) === bytesOf(events)
    const end = original.at(-1)
    return isSame && end
      ? { _tag: 'duplicate', sequence: end.sequence, position: end.position }
      : { _tag: 'partial-duplicate' }
  }

  const refused = (commit: Commit, fallen: readonly string[]): Appended | undefined => {
    const { organization, expected, checks, events } = commit
    const { sequence, position } = last(organization)
    const wanted = expected === 'none' ? 0n : expected
    if (wanted !== 'any' && (wanted !== sequence || fallen.includes(`${organization} ${wanted}`)))
      return { _tag: 'conflict', sequence, position }
    const failed = checks.filter(
      (check) =>
        last(check.organization).sequence !== check.sequence ||
        fallen.includes(`${check.organization} ${check.sequence}`),
    )
    if (failed.length > 0)
      return {
        _tag: 'check-failed',
        organizations: failed.map((check) => ({
          organization: check.organization,
          sequence: last(check.organization).sequence,
        })),
      }
    for (const [i, { activity, revision }] of events.entries()) {
      const before = [
        ...stream(organization, activity),
        ...events.slice(0, i).filter((event) => event.activity === activity),
      ]
      if (revision !== BigInt(before.length + 1))
        return { _tag: 'revision-conflict', activity, revision: BigInt(before.length) }
    }
    return undefined
  }

  const append = (commits: readonly Commit[]): readonly Appended[] => {
    const fallen: string[] = []
    return commits.map((commit) => {
      const { organization, expected, events } = commit
      const answer = known(commit) ?? refused(commit, fallen)
      if (answer !== undefined) {
        const wanted = expected === 'none' ? 0n : expected
        if (answer._tag !== 'duplicate' && wanted !== 'any')
          fallen.push(`${organization} ${wanted + BigInt(events.length)}`)
        return answer
      }
      for (const event of events) {
        const position = firstPosition + BigInt(all.length)
        all.push({ ...event, organization, sequence: last(organization).sequence + 1n, position })
      }
      return { _tag: 'committed', ...numbers(last(organization)) }
    })
  }

  return {
    append,
    all: () => all.map(({ id, organization, sequence, position }) => ({ id, organization, sequence, position })),
  }
}

const numbers = ({ sequence, position }: { readonly sequence: bigint; readonly position: bigint }) => ({
  sequence,
  position,
})

const bytesOf = (events: readonly NewEvent[]) => JSON.stringify(events.map(({ id, line }) => [id, [...line]]))
