import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './child.ts'
import { median, ms, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import type { Load, LoadResult } from './load-program.ts'
import { isDurable, SERVER_NAMES, SUBMITS, type ServerKind } from './server-names.ts'
import type { Started } from './server-program.ts'
import { USAGE_COLUMNS, usageCells } from './usage-columns.ts'
import type { Usage } from './usage.ts'

export type RequestOptions = {
  readonly rounds: number
  /** Rounds of submits over the most connections: what is said of the whole run rests on them. */
  readonly roundsOfMost: number
  readonly forMs: number
  readonly connections: readonly number[]
}

/** What the servers are asked for. */
type Kind = Exclude<Load['kind'], 'list_activities'>

const KINDS: readonly ServerKind[] = ['engine', 'floor', 'verifying', 'constant']
/** A query appends nothing: there, the floor is verifying. */
const KINDS_OF: Record<Kind, readonly ServerKind[]> = {
  submit: KINDS,
  whoami: KINDS.filter((kind) => kind !== 'floor'),
}

/** With what the server used for all answers. */
type Measured = LoadResult & { readonly usage: Usage }

type Server = { readonly kind: ServerKind; readonly child: Child; readonly started: Started }

/** Stamped submits and queries a second, beside servers that do less. */
export const measureRequests = async (options: RequestOptions, progress: Progress): Promise<readonly Table[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const load = startChild(new URL('./load-program.ts', import.meta.url))
  const servers: Server[] = []
  try {
    for (const kind of KINDS) servers.push(await startServer(kind, join(folder, `${kind}.db`)))
    progress('requests: warming up')
    for (const server of servers) await warmUp(server, load, isDurable(server.kind) ? WARM_UP_MS : WARM_UP_MS / 2)
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

/** A server that is not warm uses up to three times the processor time, and the engine has the most code to warm. */
const WARM_UP_MS = 4_000

/** Code that has run often is compiled again, faster: nobody is measured before. */
const warmUp = ({ started: { url, ...seed } }: Server, load: Child, forMs: number): Promise<LoadResult> =>
  load.ask<LoadResult>('run', {
    urls: [url],
    seeds: [seed],
    kind: 'submit',
    connections: 64,
    forMs,
    name: 'warm',
  } satisfies Load)

const measureKind = async (
  kind: Kind,
  servers: readonly Server[],
  load: Child,
  { rounds: count, roundsOfMost, forMs, connections }: RequestOptions,
  progress: Progress,
): Promise<Table> => {
  const rows: (string | number)[][] = []
  for (const clients of connections) {
    progress(`${kind}, ${clients} connections`)
    let loads = 0
    const measured = await rounds(
      kind === 'submit' && clients === Math.max(...connections) ? roundsOfMost : count,
      serversOf(kind, servers).map(({ kind: name, child, started: { url, ...seed } }) => ({
        name,
        measure: async (): Promise<Measured> => {
          const asked: Load = {
            urls: [url],
            seeds: [seed],
            kind,
            connections: clients,
            forMs,
            name: `${clients}-${++loads}`,
          }
          await child.ask('begin')
          const result = await load.ask<LoadResult>('run', asked)
          return { ...result, usage: await child.ask<Usage>('end') }
        },
      })),
    )
    rows.push(...KINDS_OF[kind].map((name) => rowOf(clients, name, measured)))
  }
  return {
    title: titles[kind],
    says: says[kind],
    columns: [
      ...['connections', 'server', 'per second', 'p50 ms', 'p99 ms', 'refused'],
      ...USAGE_COLUMNS,
      ...['× verifying', '× floor'],
    ],
    rows,
  }
}

const serversOf = (kind: Kind, servers: readonly Server[]): readonly Server[] =>
  servers.filter((server) => KINDS_OF[kind].includes(server.kind))

const rowOf = (
  clients: number,
  name: ServerKind,
  measured: ReadonlyMap<string, readonly Measured[]>,
): (string | number)[] => {
  const results = measured.get(name) ?? []
  const of = (pick: (result: Measured) => number): readonly number[] => results.map(pick)
  const than = (other: ServerKind): string => {
    const base = (measured.get(other) ?? []).map(({ perSecond }) => perSecond)
    return base.length === 0
      ? '–'
      : ratio(
          of(({ perSecond }) => perSecond),
          base,
        )
  }
  return [
    clients,
    SERVER_NAMES[name],
    rate(median(of(({ perSecond }) => perSecond))),
    ms(median(of(({ p50 }) => p50))),
    ms(median(of(({ p99 }) => p99))),
    of(({ refused }) => refused).reduce((sum, refused) => sum + refused, 0),
    ...usageCells(results, isDurable(name)),
    than('verifying'),
    than('floor'),
  ]
}

const titles: Record<Kind, string> = { submit: SUBMITS, whoami: 'Stamped queries (whoami)' }

const says: Record<Kind, string> = {
  submit:
    'One organization, `update_user_tag` with a new name each time; an answer leaves when it is durable (WAL, `synchronous=FULL`). ' +
    'The other servers are the same HTTP adapter, with the same limits, over an engine that answers one fixed activity. The floor ' +
    'appends the rows of such a commit to the tables of a log before it answers, in groups and by the thread of our store: what every ' +
    'durable submit needs, and nothing else.',
  whoami: 'The same servers and connections.',
}
