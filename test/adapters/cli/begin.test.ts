import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { begin } from '../../../adapters/credentials/begin.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { secondProcess } from '../../core/command/second-process.ts'
import { right } from '../../core/world/world.ts'
import { folder, json, run, serve, type Ended } from './run-cli.ts'

const it = suite('the beginning of an organization')

type Printed = Pick<Awaited<ReturnType<typeof begin>>, 'genesisHash'> & {
  readonly organizationId: string
  readonly userId: string
}

const flags = ['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json']
const init = (cwd: string, crashAt?: string): Promise<Ended> =>
  run(['init', '--store', 'sqlite:store.db', '--credentials', 'c.json'], {
    cwd,
    ...(crashAt === undefined ? {} : { env: { COUNTERSIGN_CRASH_AT: crashAt } }),
  })
const printed = ({ stdout }: Ended): Printed => JSON.parse(stdout) as Printed // what `init` prints
const audit = (cwd: string, { organizationId, genesisHash }: Printed): Promise<Ended> =>
  run(['audit', '--store', 'sqlite:store.db', '--pin', `${organizationId}=${genesisHash}`], { cwd })

it('writes the file and the organization, once, and prints what an auditor can pin', async () => {
  const cwd = folder()
  const first = await init(cwd)
  assert.is(first.code, 0)
  const credentials = json(join(cwd, 'c.json'))
  assert.is(credentials['baseUrl'], null)
  const { organizationId, userId, genesisHash } = printed(first)
  assert.equal(
    { organizationId, userId },
    { organizationId: credentials['organizationId'], userId: credentials['userId'] },
  )
  assert.match(genesisHash, /^[0-9a-f]{64}$/)
  const again = await init(cwd)
  assert.equal([again.code, printed(again)], [0, printed(first)])
  assert.equal(json(join(cwd, 'c.json')), credentials)
  assert.is((await audit(cwd, printed(first))).code, 0)
})

for (const files of ['of its own', 'that all share'] as const) {
  it(`begins one organization, although three processes begin at once, each with a file ${files}`, async () => {
    const cwd = folder()
    const storage = memoryStore()
    const process = async (number: number) => {
      const engine = await secondProcess({ storage, clock: systemClock() })
      const file = join(cwd, files === 'of its own' ? `${number}.json` : 'c.json')
      return begin({ engine, storage, nowMs: Date.now, file, organizationName: 'One' })
    }
    const begun = await Promise.allSettled([process(1), process(2), process(3)])
    assert.is(right(await storage.store.organizations('', 10)()).length, 1)
    const fulfilled = begun.filter(({ status }) => status === 'fulfilled')
    assert.is(fulfilled.length, files === 'of its own' ? 1 : 3)
  })
}

for (const point of [
  'init-after-file',
  'init-after-organization',
  'init-after-credentials',
  'before-append',
  'after-append',
]) {
  it(`is finished by the next start after a crash at ${point}`, async () => {
    const cwd = folder()
    const crashed = await init(cwd, point)
    assert.equal([crashed.signal, crashed.stdout], ['SIGKILL', ''])
    const pending = json(join(cwd, 'c.json.pending'))
    const next = await init(cwd)
    assert.is(next.code, 0)
    const { organizationId, apiPrivateKey, userId } = json(join(cwd, 'c.json'))
    assert.equal([organizationId, apiPrivateKey], [pending['organizationId'], pending['apiPrivateKey']])
    assert.equal([printed(next).organizationId, printed(next).userId], [organizationId, userId])
    assert.not.ok(existsSync(join(cwd, 'c.json.pending')))
    assert.match((await audit(cwd, printed(next))).stdout, '2 events', 'one organization, begun once')
  })
}

it('is finished by a start that serves, before it says that it listens', async () => {
  const cwd = folder()
  const crashed = await run(['serve', '--port', '0', ...flags], {
    cwd,
    env: { COUNTERSIGN_CRASH_AT: 'init-after-organization' },
  })
  assert.equal([crashed.signal, crashed.stdout], ['SIGKILL', ''])
  const server = await serve(flags, { cwd })
  assert.is(json(join(cwd, 'c.json'))['baseUrl'], server.url)
  const asked = await run(['request', 'whoami', '--credentials', 'c.json'], { cwd })
  assert.is((JSON.parse(asked.stdout) as Printed).userId, json(join(cwd, 'c.json'))['userId'])
  await server.stop()
})

it('says so where only one of the two is there', async () => {
  const cwd = folder()
  await init(cwd)
  const at = (name: string): string => join(cwd, name)
  renameSync(at('c.json'), at('elsewhere.json'))
  const noFile = await init(cwd)
  assert.match(
    noFile.stderr,
    /^countersign: the store has an organization already, but there is no file c\.json for it: [^\n]+\n$/,
  )
  assert.equal([noFile.code, noFile.stdout], [1, ''])

  renameSync(at('elsewhere.json'), at('c.json'))
  const noOrganization = await run(['init', '--store', 'sqlite:other.db', '--credentials', 'c.json'], { cwd })
  assert.match(
    noOrganization.stderr,
    /^countersign: the store does not have the organization that c\.json is for: [^\n]+\n$/,
  )
  assert.equal([noOrganization.code, noOrganization.stdout], [2, ''])
  const served = await run(['serve', '--port', '0', '--store', 'memory:', '--init', '--credentials', 'c.json'], { cwd })
  assert.equal([served.code, served.stdout], [2, ''])
})

it('does not take a foreign interrupted start for its own', async () => {
  const [cwd, other] = [folder(), folder()]
  await init(cwd)
  await init(other, 'init-after-file')
  rmSync(join(cwd, 'c.json'))
  copyFileSync(join(other, 'c.json.pending'), join(cwd, 'c.json.pending'))
  const { code, stderr } = await init(cwd)
  assert.is(code, 1)
  assert.match(stderr, 'there is no file c.json')
})

it('replaces the file of something else only when it is told to, and never that of its own organization', async () => {
  const [cwd, other] = [folder(), folder()]
  await init(other)
  const [file, foreign] = [join(cwd, 'c.json'), readFileSync(join(other, 'c.json'), 'utf8')]
  const force = (): Promise<Ended> =>
    run(['init', '--store', 'sqlite:store.db', '--credentials', 'c.json', '--force'], { cwd })
  for (const [content, says] of [
    [foreign, /the store does not have the organization that c\.json is for: [^\n]* --force\n$/],
    ['a letter', /c\.json is not a credentials file: [^\n]+\n$/],
  ] as const) {
    writeFileSync(file, content)
    const refused = await init(cwd)
    assert.match(refused.stderr, says)
    assert.equal([refused.code, refused.stdout, readFileSync(file, 'utf8')], [2, '', content])
    assert.equal(readdirSync(cwd), ['c.json'])
  }

  const forced = await force()
  assert.is(forced.code, 0)
  const own = readFileSync(file, 'utf8')
  assert.is(printed(forced).organizationId, json(file)['organizationId'])
  const again = await force()
  assert.equal([again.code, readFileSync(file, 'utf8')], [0, own])
  assert.match(again.stderr, 'were there already')

  writeFileSync(file, foreign)
  const late = await force()
  assert.match(late.stderr, /^countersign: the store has an organization already, but there is no file c\.json for it/)
  assert.equal([late.code, readFileSync(file, 'utf8')], [1, foreign])
})

it('refuses a file with halves of two keys', async () => {
  const [cwd, other] = [folder(), folder()]
  const file = join(cwd, 'c.json')
  assert.equal([(await init(cwd)).code, (await init(other)).code], [0, 0])
  const { apiPublicKey } = json(join(other, 'c.json'))
  writeFileSync(file, JSON.stringify({ ...json(file), apiPublicKey }))
  for (const args of [
    ['init', '--store', 'sqlite:store.db', '--credentials', 'c.json'],
    ['serve', '--port', '0', ...flags],
    ['request', 'whoami', '--credentials', 'c.json', '--url', 'http://127.0.0.1:1'],
    ['keygen', '--credentials', 'c.json', '--out', 'new.json'],
  ]) {
    const { code, stdout, stderr } = await run(args, { cwd })
    const says = 'c.json holds no usable key: its public key does not belong to its private key'
    assert.equal([code, stdout, stderr], [2, '', `countersign: ${says}\n`], args.join(' '))
  }
  assert.not.ok(existsSync(join(cwd, 'new.json')))
})

it('refuses halves of two keys that an interrupted start has left', async () => {
  const [cwd, other] = [folder(), folder()]
  await init(cwd, 'init-after-file')
  await init(other, 'init-after-file')
  const pending = join(cwd, 'c.json.pending')
  const { apiPublicKey } = json(join(other, 'c.json.pending'))
  const spoilt = JSON.stringify({ ...json(pending), apiPublicKey })
  writeFileSync(pending, spoilt)
  const { code, stderr } = await init(cwd)
  assert.match(stderr, /^countersign: c\.json\.pending holds no usable key: [^\n]+\n$/)
  assert.equal([code, readFileSync(pending, 'utf8')], [2, spoilt])
})

it('refuses a file that is something else, and a store that does not stay', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'c.json'), '{"apiPrivateKey":"secret"}')
  const { code, stderr } = await init(cwd)
  assert.match(stderr, /^countersign: c\.json is not a credentials file: [^\n]+\n$/)
  assert.not.match(stderr, 'secret')
  assert.is(code, 2)
  assert.is(readFileSync(join(cwd, 'c.json'), 'utf8'), '{"apiPrivateKey":"secret"}')
  const volatile = await run(['init', '--store', 'memory:', '--credentials', 'd.json'], { cwd })
  assert.equal([volatile.code, existsSync(join(cwd, 'd.json'))], [2, false])
})

it.run()
