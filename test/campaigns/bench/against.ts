import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, counted, SPREAD_MAX, type Run, type Turn } from './compare.ts'
import { rounds as inRounds, type Progress, type Table } from './figures.ts'
import type { Options } from './options.ts'
import { benchOf, otherCommit } from './other-commit.ts'

export type AgainstOptions = Pick<Options, 'sections' | 'rounds' | 'sizes'> & { readonly ref: string }

/**
 * Measures another commit and this working tree in turns, section by section, each by its own bench: before, now, now,
 * before, and so on. What changes slowly on the machine meets both alike.
 *
 * @param repository  the working tree, which is built
 */
export const measureAgainst = async (
  repository: string,
  { ref, sections, rounds, sizes }: AgainstOptions,
  progress: Progress,
  signal?: AbortSignal,
): Promise<{ readonly says: string; readonly tables: readonly Table[] }> => {
  const other = await otherCommit(repository, ref, progress, signal)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-histories-'))
  try {
    const tables: Table[] = []
    for (const section of sections) {
      const variant = (name: 'before' | 'now', root: string) => ({
        name,
        measure: (): Promise<Run> => {
          progress(`${section}: ${name === 'now' ? 'this working tree' : ref}`)
          // A history is made by the code that reads it.
          const args = ['--only', section, '--rounds', '1', '--keep', join(folder, name), ...sizes]
          return benchOf(root, args, signal)
        },
      })
      const runs = await inRounds(rounds, [variant('before', other.root), variant('now', repository)])
      tables.push(...compare(turnsOf(runs)))
    }
    return { says: saysOf(ref, other.sha, rounds, tables), tables }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await other.remove()
  }
}

const turnsOf = (runs: ReadonlyMap<string, readonly Run[]>): readonly Turn[] =>
  (runs.get('before') ?? []).map((before, index) => ({ before, now: runs.get('now')?.[index] ?? [] }))

const saysOf = (ref: string, sha: string, turns: number, tables: readonly Table[]): string => {
  const { ratios, unclear } = counted(tables)
  const percent = `${SPREAD_MAX * 100} %`
  const many =
    `The machine was too busy to tell ${unclear} of ${ratios} ratios: where those of the turns differ by more than ${percent}, ` +
    'the least and the most are printed, with a question mark.'
  return [
    `Now ÷ before: this working tree ÷ ${ref} (${sha.slice(0, 7)}); medians of ${turns} turns.`,
    'More is better for rates and for ×, less is better for all else.',
    unclear === 0 ? `The ratios of the turns differ by at most ${percent}.` : many,
  ].join('\n')
}
