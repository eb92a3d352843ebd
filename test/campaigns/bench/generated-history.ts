/** A transcript of many organizations and of many activities of one organization, out of three commits of an engine. */
import { beforeFirst, hashOf, type Tip } from '../../../core/log/chain.ts'
import type { TranscriptEntry } from '../../../core/log/transcript-reader.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { commitsLike, eventIn, type Generated, type GeneratorPorts } from './generated-log.ts'
import { ORGANIZATION_NAME, tagName } from './seed.ts'
import type { Stamped } from './stamped.ts'

/** Stamps so many requests, from a number on. */
export type Signer = (job: 'beginnings' | 'renamings', from: number, count: number) => Promise<readonly Stamped[]>

export type HistoryPlan = {
  /** The log of the organization that has many activities: its beginning, its tag, and one renaming of it by `FIRST`. */
  readonly made: readonly Recorded[]
  /** Activities of that organization, besides its first two. */
  readonly activities: number
  /** All organizations. The others have only begun. */
  readonly organizations: number
}

/** What the renaming in `made` is called by. */
export const FIRST = 'first'

/** Requests that are stamped at a time. While one such batch is generated and imported, the next is stamped. */
const BATCH = 2048

/** @returns the entries of a whole transcript, in batches; without its hash, which an import does not need */
export async function* historyEntries(
  given: GeneratorPorts,
  { made, activities, organizations }: HistoryPlan,
  sign: Signer,
): AsyncGenerator<readonly TranscriptEntry[]> {
  const ports = { ...given, now: neverBack(given.now) }
  const commits = commitsIn(made)
  const [genesis, renamed] = [commits[0] ?? [], commits.at(-1) ?? []]
  let counted = { events: 0, parts: 0 }
  const count = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
    const parts = entries.filter(({ _tag }) => _tag === 'part').length
    counted = { events: counted.events + entries.length - parts, parts: counted.parts + parts }
    return entries
  }

  const organization = commitsLike(ports, genesis, ORGANIZATION_NAME)
  for await (const batch of batches(sign, 'beginnings', organizations - 1))
    yield count(batch.flatMap((stamped) => organization(stamped, beforeFirst).entries))

  yield count(made.flatMap(entriesOf))
  const renaming = commitsLike(ports, renamed, tagName(FIRST))
  let tip = tipOf(ports, made)
  for await (const batch of batches(sign, 'renamings', activities - 1)) {
    const entries: TranscriptEntry[] = []
    for (const stamped of batch) {
      const next: Generated = renaming(stamped, tip)
      entries.push(...next.entries)
      tip = next.tip
    }
    yield count(entries)
  }
  yield [closing(counted.events, counted.parts)]
}

/** The time of a log never goes back, as the time of a machine may. */
const neverBack = (now: () => number): (() => number) => {
  let last = 0
  return () => (last = Math.max(last, now()))
}

/** The closing line of a transcript that is never text. */
export const closing = (events: number, parts: number): TranscriptEntry => ({
  line: 0,
  _tag: 'closing',
  closing: { events, parts, lines: events + parts, sha256: '' },
})

/** Stamped requests, a batch ahead of those who take them. */
async function* batches(
  sign: Signer,
  job: 'beginnings' | 'renamings',
  total: number,
): AsyncGenerator<readonly Stamped[]> {
  const ask = (from: number) => sign(job, from, Math.max(0, Math.min(BATCH, total - from)))
  let next = ask(0)
  for (let from = 0; from < total; from += BATCH) {
    const batch = await next
    next = ask(from + BATCH)
    yield batch
  }
  await next
}

const commitsIn = (made: readonly Recorded[]): readonly (readonly Recorded[])[] =>
  [...new Set(made.map(({ activity }) => activity))].map((activity) => made.filter((one) => one.activity === activity))

const entriesOf = ({ id, line, parts }: Recorded): readonly TranscriptEntry[] => [
  { line: 0, _tag: 'event', bytes: line, event: eventIn({ line }) },
  ...parts.map((part): TranscriptEntry => ({ line: 0, _tag: 'part', of: id, part })),
]

const tipOf = ({ digest }: Pick<GeneratorPorts, 'digest'>, made: readonly Recorded[]): Tip => {
  const last = made.at(-1)
  return last === undefined ? beforeFirst : { sequence: last.sequence, hash: hashOf(digest, last.line) }
}
