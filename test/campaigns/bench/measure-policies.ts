import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKey, stamper } from 'countersign/signatures'
import { inChild, startChild } from './child.ts'
import { median, ms, quantile, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import type { Load, LoadResult } from './load-program.ts'
import { startServer, type RequestOptions } from './measure-requests.ts'
import type { Asked, Decisions, Worst } from './policies-program.ts'
import { ordinaryPolicies } from './policies.ts'
import { encode, type Seed } from './seed.ts'
import type { Started } from './server-program.ts'

type PolicyOptions = Pick<RequestOptions, 'rounds' | 'forMs'>

const CONNECTIONS = 64
const WARM_UP_MS = 2_000
const PROGRAM = new URL('./policies-program.ts', import.meta.url)

/** What policies cost: decisions beside their expressions alone, submits beside those without policies, and the worst decisions. */
export const measurePolicies = async (options: PolicyOptions, progress: Progress): Promise<readonly Table[]> => [
  await measureDecisions(options, progress),
  await measureSubmits(options, progress),
  await measureWorst(options, progress),
]

const measureDecisions = async ({ rounds: count, forMs }: PolicyOptions, progress: Progress): Promise<Table> => {
  const rows: (string | number)[][] = []
  for (const policies of [1, 10, 100])
    for (const isTimed of [false, true]) {
      progress(`decisions under ${policies} policies${isTimed ? ' with times' : ''}`)
      const asked: Asked = { count: policies, isTimed, forMs }
      const name = 'decisions'
      const measure = () => inChild(PROGRAM, (child) => child.ask<Decisions>(name, asked))
      const measured = (await rounds(count, [{ name, measure }])).get(name) ?? []
      const taken = measured.map(({ decisions }) => decisions)
      const alone = measured.map(({ evaluations }) => evaluations)
      rows.push([policies, isTimed ? 'yes' : 'no', rate(median(taken)), rate(median(alone)), ratio(taken, alone)])
    }
  return {
    title: 'Decisions',
    says: '100 users, one approval; policies of ordinary size, of which the last allows. Beside them: all expressions of the policies, evaluated alone.',
    columns: ['policies', 'with times', 'decisions per second', 'expressions alone', '× alone'],
    rows,
  }
}

const measureSubmits = async ({ rounds: count, forMs }: PolicyOptions, progress: Progress): Promise<Table> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const load = startChild(new URL('./load-program.ts', import.meta.url))
  const servers = await Promise.all(
    ['none', 'plain', 'timed'].map(async (name) => {
      const { child, started } = await startServer('engine', join(folder, `${name}.db`))
      return { name, child, url: started.url, seed: await seedWith(started, name) }
    }),
  )
  try {
    let loads = 0
    const run = ({ url, seed }: (typeof servers)[number], runMs: number): Promise<LoadResult> =>
      load.ask<LoadResult>('run', {
        urls: [url],
        seeds: [seed],
        kind: 'submit',
        connections: CONNECTIONS,
        forMs: runMs,
        name: `q-${++loads}`,
      } satisfies Load)
    progress('submits under policies: warming up')
    for (const server of servers) await run(server, WARM_UP_MS)
    progress('submits under policies')
    const measured = await rounds(
      count,
      servers.map((server) => ({ name: server.name, measure: () => run(server, forMs) })),
    )
    const of = (name: string, pick: (result: LoadResult) => number): readonly number[] =>
      (measured.get(name) ?? []).map(pick)
    const each = ({ perSecond }: LoadResult): number => perSecond
    return {
      title: 'Submits under policies',
      says: `${CONNECTIONS} connections, durable submits. Without policies the root user submits; with ten policies a user whom the last one allows.`,
      columns: ['policies', 'per second', 'p50 ms', 'p99 ms', 'refused', '× none'],
      rows: servers.map(({ name }) => [
        NAMES[name] ?? name,
        rate(median(of(name, each))),
        ms(median(of(name, ({ p50 }) => p50))),
        ms(median(of(name, ({ p99 }) => p99))),
        of(name, ({ refused }) => refused).reduce((sum, refused) => sum + refused, 0),
        ratio(of(name, each), of('none', each)),
      ]),
    }
  } finally {
    await Promise.all([load, ...servers.map(({ child }) => child)].map((child) => child.close()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const NAMES: Readonly<Record<string, string>> = { none: 'none', plain: 'ten', timed: 'ten, with times' }

/** The seed of a server; where it is to have policies, with a user whom they allow to rename the tag. */
const seedWith = async ({ url, ...seed }: Started, name: string): Promise<Seed> => {
  if (name === 'none') return seed
  const stamp = stamper(seed.key)
  const post = async (path: string, type: string, parameters: object): Promise<void> => {
    const body = encode({ organizationId: seed.organizationId, timestampMs: String(Date.now()), type, parameters })
    const headers = { 'X-Stamp': stamp(body) }
    const answer = await fetch(`${url}/public/v1/submit/${path}`, { method: 'POST', body: Buffer.from(body), headers })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }]
  const user = { userName: 'user', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  await post('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: [user] })
  const policies = ordinaryPolicies(10, name === 'timed').map((policy, n) => ({
    policyName: `${n}`,
    notes: '',
    ...policy,
  }))
  await post('create_policies', 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  return { ...seed, key }
}

const measureWorst = async ({ forMs }: PolicyOptions, progress: Progress): Promise<Table> => {
  progress('the worst decisions')
  const measured = await inChild(PROGRAM, (child) => child.ask<Worst>('worst', { forMs: 2 * forMs }))
  const row = (what: string, times: readonly number[]): readonly (string | number)[] => [
    what,
    ms(times[0] ?? Number.NaN),
    ms(median(times)),
    ms(quantile(times, 1)),
  ]
  return {
    title: 'The worst decisions',
    says:
      '100 policies that use up all steps, a thousand spans in over 400 time zones among them, and 100 users. ' +
      'The first one finds nothing compiled, and no time zone in memory.',
    columns: ['what', 'the first, ms', 'median ms', 'the longest, ms'],
    rows: [row('a decision', measured.decision), row('who may vote', measured.voters)],
  }
}
