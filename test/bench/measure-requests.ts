import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './child.ts'
import { median, ms, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import type { Load, LoadResult } from './load-program.ts'
import type { ServerKind, Started } from './server-program.ts'

export type RequestOptions = {
  readonly rounds: number
  readonly forMs: number
  readonly connections: readonly number[]
}

const KINDS: readonly ServerKind[] = ['engine', 'verifying', 'constant']

/** With the processor time of the server for one answer. */
type Measured = LoadResult & { readonly cpuUs: number }

type Server = { readonly kind: ServerKind; readonly child: Child; readonly started: Started }

/** Stamped submits and queries a second, beside servers that do less. */
export const measureRequests = async (options: RequestOptions, progress: Progress): Promise<readonly Table[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const load = startChild(new URL('./load-program.ts', import.meta.url))
  const servers: Server[] = []
  try {
    for (const kind of KINDS) servers.push(await startServer(kind, join(folder, 'store.db')))
    progress('requests: warming up')
    for (const server of servers) await warmUp(server, load, options.forMs * 2)
    return [
      await measureKind('submit', servers, load, options, progress),
      await measureKind('whoami', servers, load, options, progress),
    ]
  } finally {
    await Promise.all([load, ...servers.map(({ child }) => child)].map((child) => child.close()))
    rmSync(folder, { recursive: true, force: true })
  }
}

export const startServer = async (kind: ServerKind, path: string, flags: readonly string[] = []): Promise<Server> => {
  const child = startChild(new URL('./server-program.ts', import.meta.url), flags)
  return { kind, child, started: await child.ask<Started>('start', { kind, path }) }
}

/** Code that has run often is compiled again, faster: nobody is measured before. */
const warmUp = ({ started: { url, ...seed } }: Server, load: Child, forMs: number): Promise<LoadResult> =>
  load.ask<LoadResult>('run', { url, seed, kind: 'submit', connections: 64, forMs, name: 'warm' } satisfies Load)

const measureKind = async (
  kind: Load['kind'],
  servers: readonly Server[],
  load: Child,
  { rounds: count, forMs, connections }: RequestOptions,
  progress: Progress,
): Promise<Table> => {
  const rows: (string | number)[][] = []
  for (const clients of connections) {
    progress(`${kind}, ${clients} connections`)
    let loads = 0
    const measured = await rounds(
      count,
      servers.map(({ kind: name, child, started: { url, ...seed } }) => ({
        name,
        measure: async (): Promise<Measured> => {
          const cpuBefore = await child.ask<number>('cpu')
          const asked: Load = { url, seed, kind, connections: clients, forMs, name: `${clients}-${++loads}` }
          const result = await load.ask<LoadResult>('run', asked)
          return { ...result, cpuUs: ((await child.ask<number>('cpu')) - cpuBefore) / result.answers }
        },
      })),
    )
    rows.push(...KINDS.map((name) => rowOf(clients, name, measured)))
  }
  return {
    title: titles[kind],
    says: says[kind],
    columns: ['connections', 'server', 'per second', 'p50 ms', 'p99 ms', 'refused', 'CPU µs', '× verifying'],
    rows,
  }
}

const rowOf = (
  clients: number,
  name: ServerKind,
  measured: ReadonlyMap<string, readonly Measured[]>,
): (string | number)[] => {
  const results = measured.get(name) ?? []
  const of = (pick: (result: Measured) => number): readonly number[] => results.map(pick)
  const base = (measured.get('verifying') ?? []).map(({ perSecond }) => perSecond)
  return [
    clients,
    names[name],
    rate(median(of(({ perSecond }) => perSecond))),
    ms(median(of(({ p50 }) => p50))),
    ms(median(of(({ p99 }) => p99))),
    of(({ refused }) => refused).reduce((sum, refused) => sum + refused, 0),
    Math.round(median(of(({ cpuUs }) => cpuUs))),
    ratio(
      of(({ perSecond }) => perSecond),
      base,
    ),
  ]
}

const names: Record<ServerKind, string> = {
  engine: 'countersign, durable on SQLite',
  verifying: 'a constant after verification',
  constant: 'a constant, unverified',
}

const titles: Record<Load['kind'], string> = { submit: 'Stamped submits', whoami: 'Stamped queries (whoami)' }

const says: Record<Load['kind'], string> = {
  submit:
    'One organization, `update_user_tag` with a new name each time; an answer leaves when it is durable (WAL, `synchronous=FULL`). ' +
    'The two other servers are the same HTTP adapter, with the same limits, over an engine that answers one fixed activity.',
  whoami: 'The same servers and connections.',
}
