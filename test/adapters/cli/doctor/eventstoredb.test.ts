import { randomBytes, randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Checked } from '../../../../adapters/cli/doctor.ts'
import { besideChecks } from '../../../../adapters/cli/doctor/eventstoredb-checks.ts'
import { trialsOver } from '../../../../adapters/cli/doctor/eventstoredb-trials.ts'
import { connectClient } from '../../../../adapters/store-eventstoredb/client.ts'
import { linkEvent } from '../../../../adapters/store-eventstoredb/links.ts'
import type { LogClient } from '../../../../adapters/store-eventstoredb/log-client.ts'
import { failure } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { startEmulator, type Emulator } from '../../store-eventstoredb/emulator/emulator.ts'
import { memoryLog } from '../../store-eventstoredb/memory-log.ts'
import { long } from '../../../long.ts'
import { folder, run, serve, type Ended } from '../run-cli.ts'

const it = suite('doctor on EventStoreDB')

const cwd = folder()
let server: Emulator
it.before(async () => {
  server = await startEmulator()
})
it.after(() => server.stop())

type Finding = { readonly check: string; readonly state: string; readonly found: string; readonly advice?: string }
type Report = { readonly isWell: boolean; readonly checks: readonly Finding[] }

const anyPlace = () => {
  const prefix = `${randomBytes(4).toString('hex')}-`
  const url = process.env['EVENTSTOREDB_URL'] || server.connectionString // empty: there is none
  const COUNTERSIGN_STORE = `${url}&prefix=${prefix}`
  return { prefix, url, env: { COUNTERSIGN_STORE, COUNTERSIGN_READ_MODELS: `sqlite:rm/${prefix}.db` } }
}
type Env = ReturnType<typeof anyPlace>['env']
const cli = (env: Env, ...args: readonly string[]): Promise<Ended> => run(args, { cwd, env })
const doctor = async (env: Env, ...args: readonly string[]): Promise<Report & { readonly code: number | null }> => {
  const { stdout, stderr, code } = await cli(env, 'doctor', '--json', '--credentials', 'c.json', '--port', '0', ...args)
  assert.is(stderr, '')
  return { ...(JSON.parse(stdout) as Report), code } // what --json prints
}
const stateOf = ({ checks }: Report, name: string): string => {
  const one = checks.find(({ check }) => check === name)
  return `${one?.state}: ${one?.found}`
}

/** Every stream of links, with the numbers that its links have. */
const linkStreams = (client: LogClient, prefix: string): Promise<ReadonlyMap<string, readonly number[]>> =>
  new Promise((resolve, reject) => {
    const found = new Map<string, readonly number[]>()
    const names = new Set<string>()
    const following = client.follow(
      { prefixes: [`${prefix}activity-`], after: 'start' },
      {
        onEvents: (events) => events.forEach(({ stream }) => names.add(stream)),
        onCaughtUp: () => void readAll().then(resolve, reject),
        onDropped: reject,
      },
    )
    const readAll = async () => {
      await following.stop()
      for (const name of names) {
        const links = await client.readStream(name, { from: 'start', limit: 99 })
        found.set(
          name,
          typeof links === 'string' ? [] : links.map(({ data }) => Number.parseInt(String(Buffer.from(data)), 10)),
        )
      }
      return found
    }
  })

long(it)('mends links that were removed, doubled and put in a wrong order, and nothing else notices', async () => {
  const { prefix, url, env } = anyPlace()
  assert.is((await cli(env, 'init', '--credentials', 'c.json')).code, 0)
  const served = await serve(['--init', '--credentials', 'c.json'], { cwd, env })
  for (const name of ['a', 'b', 'c']) {
    const body = JSON.stringify({ userTagName: name, userIds: [] })
    assert.is((await run(['request', 'create_user_tag', body, '--credentials', 'c.json'], { cwd })).code, 0)
  }
  const asked = () => run(['activities', '--json', '--credentials', 'c.json'], { cwd })
  const client = await connectClient({ connectionString: url })
  const right = async (): Promise<ReadonlyMap<string, readonly number[]>> => {
    for (;;) {
      const found = await linkStreams(client, prefix)
      if (found.size >= 4 && [...found.values()].every(({ length }) => length >= 2)) return found
    }
  }
  const before = await right()
  const listed = await asked()
  assert.is((await served.stop()).code, 0)
  const answers = async () => ({
    exported: (await cli(env, 'export')).stdout,
    audited: (await cli(env, 'audit', '--json')).stdout,
  })
  const first = await answers()

  const [removed, doubled, shuffled] = [...before.keys()]
  assert.ok(removed && doubled && shuffled)
  const organization = [...first.exported.matchAll(/"organization":"([0-9a-f-]{36})"/g)][0]?.[1] ?? ''
  const link = (number = 0) => linkEvent(randomUUID(), `${number}@${prefix}organization-${organization}`)
  const lengths = [removed, shuffled].map((name) => before.get(name)?.length ?? 0)
  await client.deleteSoftly(removed, BigInt((lengths[0] ?? 0) - 1))
  await client.append(doubled, BigInt((before.get(doubled)?.length ?? 0) - 1), [link(before.get(doubled)?.at(-1))])
  await client.deleteSoftly(shuffled, BigInt((lengths[1] ?? 0) - 1))
  await client.append(shuffled, 'none', (before.get(shuffled) ?? []).toReversed().map(link))

  const wrong = await doctor(env, '--full')
  assert.equal([wrong.code, wrong.isWell], [1, false])
  assert.is(
    stateOf(wrong, 'links'),
    `wrong: those of 3 of ${before.size} activities are removed, doubled or in a wrong order`,
  )
  const mended = await doctor(env, '--repair')
  assert.equal([mended.code, stateOf(mended, 'links')], [0, `ok: those of 3 of ${before.size} activities were mended`])
  assert.equal(await linkStreams(client, prefix), before)
  assert.equal(await answers(), first)
  const again = await serve(['--init', '--credentials', 'c.json'], { cwd, env })
  assert.is((await asked()).stdout, listed.stdout)
  await again.stop()
  assert.equal(
    stateOf(await doctor(env, '--full'), 'links'),
    `ok: ${before.size} activities have the links that they should have`,
  )
  await client.close()
})

it('tries what the store counts on, and leaves nothing that can be read', async () => {
  const { prefix, url, env } = anyPlace()
  assert.is((await cli(env, 'init', '--credentials', 'd.json')).code, 0)
  const found = await doctor(env, '--full')
  assert.equal(
    found.checks.slice(-9).map(({ check, state }) => `${check} ${state}`),
    ['disk space', 'port', 'exact places', 'repetitions', 'positions', 'erasures', 'append size', 'links', 'parts'].map(
      (check) => `${check} ok`,
    ),
  )
  assert.is(stateOf(found, 'append size'), 'ok: the server takes up to 1,048,576 bytes')
  const client = await connectClient({ connectionString: url })
  const trials = new Set<string>()
  await new Promise<void>((resolve, reject) => {
    const following = client.follow(
      { prefixes: [`${prefix}trial-`], after: 'start' },
      {
        onEvents: (events) => events.forEach(({ stream }) => trials.add(stream)),
        onCaughtUp: () => void following.stop().then(resolve),
        onDropped: reject,
      },
    )
  })
  assert.is(trials.size, 5)
  for (const name of trials) assert.is(await client.readStream(name, { from: 'start', limit: 1 }), 'deleted')
  await client.close()
})

it('finds servers that do not keep what the store counts on', async () => {
  const states = async (change: (client: LogClient) => Partial<LogClient>) => {
    const client = memoryLog().connect()
    const checks: Checked[] = []
    await trialsOver({ ...client, ...change(client) }, '', (checked) => void checks.push(checked))
    return checks.filter(({ state }) => state !== 'ok').map(({ check, state }) => `${check} ${state}`)
  }
  assert.equal(await states(() => ({})), ['append size wrong']) // this one does not tell its bound
  const forgetful = await states(({ append }) => ({ append: (stream, _, events) => append(stream, 'any', events) }))
  assert.equal(forgetful.slice(0, 2), ['exact places wrong', 'repetitions wrong'])
  assert.equal((await states(() => ({ tombstone: async () => undefined })))[0], 'erasures wrong')
  const shifted = await states(({ readStream }) => ({
    readStream: async (...asked) => {
      const found = await readStream(...asked)
      return typeof found === 'string' ? found : found.map((one) => ({ ...one, position: one.position + 1n }))
    },
  }))
  assert.equal(shifted[0], 'positions wrong')
})

it('says what was found beside the events, and what to do', () => {
  const links = { activities: 9, wrong: 2, mended: 0, ended: 0 }
  const parts = { unnamed: 3, young: 1, removed: 0 }
  const said = (examined: Parameters<typeof besideChecks>[0], repair = false) =>
    besideChecks(examined, repair)
      .map(({ state, found, advice = '' }) => `${state}: ${found}: ${advice}`)
      .join('\n')
  const found = said(E.right({ links, parts }))
  assert.match(found, /^wrong: those of 2 of 9 activities are [^\n]*: mend it with countersign doctor --repair$/m)
  assert.match(
    found,
    /^warning: 3 parts that no event names are left [^\n]*; 1 more are younger than an hour.*--repair$/m,
  )
  const done = said(E.right({ links: { ...links, mended: 2, ended: 1 }, parts: { ...parts, removed: 3 } }), true)
  assert.match(done, /^warning: those of 2 of 9 activities were mended; the streams of 1 were ended for ever/)
  assert.match(done, /^ok: 3 parts that no event names were removed/m)
  assert.match(said(E.right({ links: 'none', parts: { ...parts, kept: 'import' } }), true), 'first finish the import')
  assert.match(said(E.right({ links: 'off', parts: { ...parts, kept: 'unreadable' } }), true), 'cannot be read')
  const away = E.left(failure('UNAVAILABLE', 'it is away'))
  assert.match(said(away), /^warning: not examined: it is away: examine again[^\n]*$/)
  assert.match(said(away, true), /^wrong: /)
})

it('has nothing to repair in another store', async () => {
  assert.is((await run(['init', '--store', 'sqlite:s.db', '--credentials', 'e.json'], { cwd })).code, 0)
  const { code, stdout, stderr } = await run(['doctor', '--store', 'sqlite:s.db', '--repair'], { cwd })
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /^sqlite:s\.db has nothing that could need a repair[^\n]*\n$/)
})

it.run()
