import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './child.ts'
import { median, ms, quantile, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import type { Load, LoadResult } from './load-program.ts'
import { inDatabase } from './postgres-database.ts'
import type { Listed, Renamed, StartedProcess, StartProcess, Trickle } from './process-program.ts'
import type { Seed } from './seed.ts'

export type ProcessOptions = { readonly rounds: number; readonly forMs: number; readonly organizations: number }

type Server = StartedProcess & { readonly child: Child }
/** Servers of one store. */
type Fleet = readonly Server[]

const CONNECTIONS = 64

/** Requests a second over HTTP of one process and of three. Or why it cannot be measured. */
export const measureProcesses = (options: ProcessOptions, progress: Progress): Promise<readonly Table[] | string> =>
  inDatabase(async ({ url }) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
    const children: Child[] = []
    const [load, lister] = [loadProgram(), loadProgram()]
    const start = async (asked: StartProcess): Promise<Server> => {
      const child = startChild(new URL('./process-program.ts', import.meta.url))
      children.push(child)
      return { child, ...(await child.ask<StartedProcess>('start', asked)) }
    }
    const fleet = async (schema: string, size: number, organizations: number, hasList = false): Promise<Fleet> => {
      const servers: Server[] = []
      const store = { url, schema }
      for (let n = 0; n < size; n++)
        servers.push(await start({ store, organizations: n === 0 ? organizations : 0, hasList }))
      return servers
    }
    try {
      progress('processes: starting')
      const sqlite = [await start({ store: { path: join(folder, 'one.db') }, organizations: 1, hasList: false })]
      const one = await fleet('one', 1, options.organizations)
      const three = await fleet('three', 3, options.organizations)
      const loaded = loader(load, options.forMs)
      const listed = loader(lister, options.forMs, 1)
      const tables = [
        await submits({ sqlite, one, three }, { loaded, listed }, options, progress),
        await queries(one, three, loaded, options, progress),
      ]
      await Promise.all(children.splice(0).map((child) => child.close()))
      return [...tables, await lists(await fleet('lists', 2, LISTED, true), options, progress)]
    } finally {
      await Promise.all([load, lister, ...children].map((child) => child.close()))
      rmSync(folder, { recursive: true, force: true })
    }
  })

type Loaded = (kind: Load['kind'], fleet: Fleet, seeds: readonly Seed[]) => Promise<LoadResult>

const loadProgram = (): Child => startChild(new URL('./load-program.ts', import.meta.url))

const loader = (load: Child, forMs: number, connections = CONNECTIONS): Loaded => {
  let loads = 0
  return (kind, fleet, seeds) => {
    const urls = fleet.map(({ url }) => url)
    const asked: Load = { urls, seeds, kind, connections, forMs, name: `load ${++loads}` }
    return load.ask<LoadResult>('run', asked)
  }
}

const seedsOf = (fleet: Fleet): readonly Seed[] => fleet[0]?.seeds ?? []

type Fleets = { readonly sqlite: Fleet; readonly one: Fleet; readonly three: Fleet }

const submits = async (
  { sqlite, one, three }: Fleets,
  { loaded, listed }: { readonly loaded: Loaded; readonly listed: Loaded },
  { rounds: count, organizations }: ProcessOptions,
  progress: Progress,
): Promise<Table> => {
  const busy = (fleet: Fleet) => seedsOf(fleet).slice(0, 1)
  const many = rate(organizations)
  const variants = [
    { where: '1', name: ON_SQLITE, fleet: sqlite, seeds: busy(sqlite), than: ON_SQLITE },
    { where: '1', name: 'one process on PostgreSQL, one organization', fleet: one, seeds: busy(one), than: ON_SQLITE },
    { where: '1', name: BUSY, fleet: three, seeds: busy(three), than: 'one process on PostgreSQL, one organization' },
    { where: many, name: ONE_OF_MANY, fleet: one, seeds: seedsOf(one), than: ONE_OF_MANY },
    { where: many, name: 'three processes, many', fleet: three, seeds: seedsOf(three), than: ONE_OF_MANY },
  ]
  progress('processes: warming up')
  for (const { fleet, seeds } of variants) await warmUp(fleet, seeds, loaded)
  progress('processes: submits')
  const besideLists = async (fleet: Fleet, seeds: readonly Seed[]): Promise<WithLists> => {
    const [submitted, lists] = await Promise.all([
      loaded('submit', fleet, seeds),
      listed('list_activities', [...fleet].reverse(), seeds.slice(0, 1)),
    ])
    return { ...submitted, lists }
  }
  const found = await rounds(
    count,
    variants.map(({ name, fleet, seeds }) => ({ name, measure: () => besideLists(fleet, seeds) })),
  )
  const speeds = (name: string) => (found.get(name) ?? []).map(({ perSecond }) => perSecond)
  return {
    title: 'Submits on PostgreSQL, with lists',
    says:
      `${CONNECTIONS} connections over HTTP, \`update_user_tag\` with a new name each time. All processes, the database and the load generator share ` +
      'the cores of the machine. Three processes serve one store; the connections are spread over them. `refused` are answers other than 200. ' +
      'Meanwhile one caller more asks the last server for the newest hundred activities of one of the organizations, all the time.',
    columns: [...COLUMNS, '× SQLite', '× one process', 'list p50 ms', 'longest list ms', 'lists refused'],
    rows: variants.map(({ where, name, fleet, than }) => [
      where,
      fleet === three ? 'three processes on PostgreSQL' : fleet === one ? 'one process on PostgreSQL' : ON_SQLITE,
      ...cells(found.get(name) ?? []),
      where === '1' ? ratio(speeds(name), speeds(ON_SQLITE)) : '–',
      fleet === three ? ratio(speeds(name), speeds(than)) : '–',
      ...listCells((found.get(name) ?? []).map(({ lists }) => lists)),
    ]),
  }
}

const COLUMNS = ['organizations', 'servers', 'per second', 'p50 ms', 'p99 ms', 'refused']

type WithLists = LoadResult & { readonly lists: LoadResult }

const listCells = (lists: readonly LoadResult[]): readonly (string | number)[] => [
  ms(median(lists.map(({ p50 }) => p50))),
  ms(Math.max(...lists.map(({ most }) => most))),
  lists.reduce((sum, { refused }) => sum + refused, 0),
]

/** Each process has to be warm: code that has run often is compiled again, faster. */
const WARM_ANSWERS = 3000
const WARM_LOADS_MAX = 15

const warmUp = async (fleet: Fleet, seeds: readonly Seed[], loaded: Loaded): Promise<void> => {
  let answers = 0
  for (let n = 0; n < WARM_LOADS_MAX && answers < WARM_ANSWERS * fleet.length; n++)
    answers += (await loaded('submit', fleet, seeds)).answers
}

const ON_SQLITE = 'one process on SQLite'
const BUSY = 'three processes, one organization'
const ONE_OF_MANY = 'one process, many'

const cells = (results: readonly LoadResult[]): readonly (string | number)[] => [
  rate(median(results.map(({ perSecond }) => perSecond))),
  ms(median(results.map(({ p50 }) => p50))),
  ms(median(results.map(({ p99 }) => p99))),
  results.reduce((sum, { refused }) => sum + refused, 0),
]

/** How often a second the other process appends to the organization that is asked about. */
const TRICKLE = 50

const queries = async (
  one: Fleet,
  three: Fleet,
  loaded: Loaded,
  { rounds: count, forMs }: ProcessOptions,
  progress: Progress,
): Promise<Table> => {
  const [first, second] = three
  const alone = seedsOf(one).slice(0, 1)
  const shared = seedsOf(three).slice(0, 1)
  let trickles = 0
  const beside = async (): Promise<LoadResult> => {
    const [seed] = shared
    if (first === undefined || second === undefined || seed === undefined) throw new Error('expected two processes')
    const asked: Trickle = { seed, perSecond: TRICKLE, forMs, name: `trickle ${++trickles}` }
    const [result] = await Promise.all([loaded('whoami', [first], shared), second.child.ask('trickle', asked)])
    return result
  }
  const variants = [
    { name: 'alone on its store', measure: () => loaded('whoami', one, alone) },
    { name: 'two others on its store, at rest', measure: () => loaded('whoami', three.slice(0, 1), shared) },
    { name: `another appends ${TRICKLE} a second to the same organization`, measure: beside },
  ]
  progress('processes: whoami')
  for (const { measure } of variants) await measure()
  const found = await rounds(count, variants)
  const speeds = (name: string) => (found.get(name) ?? []).map(({ perSecond }) => perSecond)
  return {
    title: 'Stamped queries on PostgreSQL (whoami)',
    says: `${CONNECTIONS} connections to one process, which looks for what others appended before it answers.`,
    columns: ['the process is', 'per second', 'p50 ms', 'p99 ms', 'refused', '× alone'],
    rows: variants.map(({ name }) => [
      name,
      ...cells(found.get(name) ?? []),
      ratio(speeds(name), speeds(variants[0]?.name ?? '')),
    ]),
  }
}

/** Organizations with a list, and how often each process renames a tag meanwhile. */
const LISTED = 20
const LISTS_BESIDE = 20

/** How long a list takes that is asked for right after the answer to what it has to show. */
const lists = async (fleet: Fleet, { rounds: count, forMs }: ProcessOptions, progress: Progress): Promise<Table> => {
  const [early, late] = fleet
  if (early === undefined || late === undefined) throw new Error('expected two processes')
  const seeds = seedsOf(fleet)
  let names = 0
  const asked = async (from: Server, to: Server): Promise<readonly Listed[]> => {
    const found: Listed[] = []
    const [busy] = seeds
    if (busy === undefined) throw new Error('expected organizations')
    const beside: Trickle = { seed: busy, perSecond: LISTS_BESIDE, forMs, name: `beside ${++names}` }
    const trickles = [from, to].map(({ child }, n) => child.ask('trickle', { ...beside, name: `${beside.name} ${n}` }))
    const startedAt = performance.now()
    for (let n = 0; performance.now() - startedAt < forMs; n++) {
      const seed = seeds[1 + (n % (seeds.length - 1))] ?? busy
      const renamed: Renamed = { seed, name: `list ${++names}` }
      await from.child.ask('rename', renamed)
      found.push(await to.child.ask<Listed>('list', renamed))
    }
    await Promise.all(trickles)
    return found
  }
  const variants = [
    { name: 'in the first process, listed there', measure: () => asked(early, early) },
    { name: 'in the first process, listed in the second', measure: () => asked(early, late) },
    { name: 'in the second process, listed in the first', measure: () => asked(late, early) },
    { name: 'in the second process, listed there', measure: () => asked(late, late) },
  ]
  progress('processes: lists')
  for (const { measure } of variants) await measure()
  const found = await rounds(count, variants)
  return {
    title: 'Lists on PostgreSQL',
    says:
      'Two processes on one store. A tag is renamed in one of them, and as soon as that is answered, the list that has to show the new name is asked ' +
      'for: rows that a projection writes, in whichever process runs it. Only the question is timed. Beside that, each process appends ' +
      `${LISTS_BESIDE} times a second. A list without the new name would end the bench.`,
    columns: ['renamed', 'lists', 'p50 ms', 'p99 ms', 'most ms', 'refused'],
    rows: variants.map(({ name }) => {
      const all = (found.get(name) ?? []).flat()
      const times = all.map((one) => one.ms)
      const refused = all.filter(({ isRefused }) => isRefused).length
      return [name, all.length, ms(median(times)), ms(quantile(times, 0.99)), ms(Math.max(...times)), refused]
    }),
  }
}
