import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeIds } from 'countersign'
import type { Commit, EventStore } from 'countersign/define'
import { sqliteStore } from 'countersign/fp'
import { memoryStore } from 'countersign/store-memory'
import { bareSqlite } from './bare-sqlite.ts'
import { median, perSecond, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import { STANDING } from './floor.ts'
import { emmettSqlite } from './peers.ts'

export type AppendOptions = { readonly rounds: number; readonly forMs: number }

const BATCHES = [1, 64] as const

/** Something that writes commits; durable when it says that it has. */
export type Writer = {
  readonly name: string
  readonly append: (commits: readonly Commit[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** Commits a second, of two events and a part each. */
export const measureAppends = async ({ rounds: count, forMs }: AppendOptions, progress: Progress): Promise<Table> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const peer = await emmettSqlite(join(folder, 'peer.db'))
  const writers: readonly Writer[] = [
    await bareSqlite(join(folder, 'bare.db')),
    await ownSqlite(join(folder, 'store.db')),
    ...(typeof peer === 'string' ? [] : [peer]),
    writerOf('store-memory', memoryStore().store),
  ]
  try {
    const rows: (string | number)[][] = []
    for (const batch of BATCHES) {
      progress(`appends, ${batch} at a time`)
      const measured = await rounds(
        count,
        writers.map(({ name, append }) => ({
          name,
          measure: async () => {
            const next = commits()
            const perCall = await perSecond(forMs, () => append(Array.from({ length: batch }, next)))
            return perCall * batch
          },
        })),
      )
      const base = measured.get(writers[0]?.name ?? '') ?? []
      rows.push(
        ...writers.map(({ name }) => [
          batch,
          name,
          rate(median(measured.get(name) ?? [])),
          ratio(measured.get(name) ?? [], base),
        ]),
      )
    }
    return {
      title: 'Appends',
      says:
        'A commit has two events of 700 bytes and a part of 900. The bare driver writes the same rows into the same tables, with the same ' +
        `settings, on its caller's thread.${typeof peer === 'string' ? ` ${peer}` : ''}`,
      columns: ['commits at a time', 'store', 'commits per second', '× bare driver'],
      rows,
    }
  } finally {
    for (const { close } of writers) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const ownSqlite = async (path: string): Promise<Writer> => {
  const opened = await sqliteStore({ path })()
  if (opened._tag === 'Left') throw new Error(opened.left.message)
  const { store, readModels } = opened.right
  return { ...writerOf('store-sqlite', store), close: () => readModels.close().then(() => store.close()) }
}

export const writerOf = (name: string, store: EventStore): Writer => ({
  name,
  append: async (group) => {
    const appended = await store.append(group)()
    if (appended._tag === 'Left' || appended.right.some(({ _tag }) => _tag !== 'committed'))
      throw new Error(`${name} refused a commit`)
  },
  close: () => store.close(),
})

const LINE = randomBytes(525).toString('base64')
const PART = new Uint8Array(randomBytes(900))
const SALT = new Uint8Array(randomBytes(32))

/** New commits, each at the end of the same log. */
export const commits = (): (() => Commit) => {
  const ids = nodeIds()
  const organization = ids.uuid()
  let sequence = 0n
  return () => {
    const activity = ids.uuid()
    const expected = sequence === 0n ? 'none' : sequence
    const event = (revision: bigint) => {
      const id = ids.eventId()
      return { id, activity, revision, line: new TextEncoder().encode(`${id}${LINE}`), parts: [] }
    }
    sequence += 2n
    const created = { ...event(1n), standing: STANDING, parts: [{ name: 'request', salt: SALT, bytes: PART }] }
    return { organization, expected, checks: [], events: [created, event(2n)] }
  }
}
