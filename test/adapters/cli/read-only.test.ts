import { chmodSync, chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inMemory, onDisk, type FileSystem } from '../../file-systems.ts'
import { long } from '../../long.ts'
import { rootClient, type RootClient } from './root-client.ts'
import { folder, run, serve, type Ended } from './run-cli.ts'

const it = suite('a read-only file system')

/** A file system that outlives nothing but the test; where there can be none, the test says so and ends. */
const on = async <A extends FileSystem>(made: A | undefined, test: (there: A, cwd: string) => Promise<void>) => {
  if (made === undefined) return console.log('   left out: no file system can be mounted here')
  try {
    await test(made, folder())
  } finally {
    made.remove()
  }
}

const createTag = async (client: RootClient, name: string): Promise<number> =>
  (await client.submit('create_user_tag', { userTagName: name, userIds: [] })).status
const tagsOf = async (client: RootClient): Promise<readonly string[]> => {
  const { status, body } = await client.query('list_user_tags')
  assert.is(status, 200)
  return (body['userTags'] as readonly { readonly tagName: string }[]).map(({ tagName }) => tagName)
}
const holds = ({ code, stdout, stderr }: Ended): void => {
  assert.match(stdout, /\nholds in what the log itself says; [^\n]+\n$/)
  assert.equal([code, stderr], [0, ''])
}
/** One line, which names the store. */
const refuses = (path: string, { code, stdout, stderr }: Ended, why: RegExp): void => {
  assert.match(stderr, new RegExp(`^countersign: [^\\n]*${path}[^\\n]*\\n$`))
  assert.match(stderr, why)
  assert.equal([code, stdout], [2, ''])
}
const READ_ONLY = /: the store cannot be written: its file, its folder or the file system is read-only\n$/

long(it)('can be read and audited, whatever stands beside the store, and says that it cannot be written', async () =>
  on(await inMemory(8), async ({ path, through, shell, remount }, cwd) => {
    const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd, through })
    const options = ['--store', `sqlite:${path}/killed.db`, '--init', '--credentials', 'c.json']
    const server = await serve(options, { cwd, through })
    const client = await rootClient(join(cwd, 'c.json'))
    for (const name of ['one', 'two', 'three']) assert.is(await createTag(client, name), 200)
    const exported = await cli(`export --store sqlite:${path}/killed.db --out log.jsonl`)
    assert.is(exported.code, 0)
    await server.stop('SIGKILL') // leaves a write-ahead log that holds everything, and its index
    await cli(`import log.jsonl --store sqlite:${path}/closed.db`)
    shell(`cd ${path} && rm -f closed.db-wal closed.db-shm && cp closed.db emptied.db && touch emptied.db-wal`)
    shell(`cd ${path} && cp killed.db cut-off.db && cp killed.db-wal cut-off.db-wal`)
    remount('ro')

    const log = (await cli('audit log.jsonl')).stdout
    for (const name of ['killed.db', 'closed.db', 'emptied.db']) {
      const audited = await cli(`audit --store sqlite:${path}/${name}`)
      holds(audited)
      assert.is(audited.stdout, log)
      refuses(name, await cli(`serve --port 0 --store sqlite:${path}/${name} --init --credentials c.json`), READ_ONLY)
    }
    const [whole = '', again] = await Promise.all(
      ['killed.db', 'closed.db'].map(async (name) => (await cli(`export --store sqlite:${path}/${name}`)).stdout),
    )
    assert.is(whole, again)
    assert.is(whole, readFileSync(join(cwd, 'log.jsonl'), 'utf8'))
    assert.match((await cli(`replay --store sqlite:${path}/closed.db`)).stdout, '"events": 8')
    // What was committed stands in the write-ahead log alone: an audit without it would be one of nothing.
    refuses('cut-off.db', await cli(`audit --store sqlite:${path}/cut-off.db`), /cannot be opened/)
    shell(`cp ${path}/cut-off.db ${path}/cut-off.db-wal ${cwd}`)
    assert.is((await cli('audit --store sqlite:cut-off.db')).stdout, log)

    remount('rw')
    const later = await serve(options, { cwd, through })
    assert.equal(await tagsOf(await rootClient(join(cwd, 'c.json'))), ['one', 'two', 'three'])
    assert.is((await later.stop()).code, 0)
  }),
)

it('takes no new store, and says so with its name', async () =>
  on(await inMemory(1), async ({ path, through, remount }, cwd) => {
    remount('ro')
    const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd, through })
    writeFileSync(join(cwd, 'log.jsonl'), '')
    for (const command of [
      'serve --port 0 --init --credentials c.json',
      'init --credentials c.json',
      'import log.jsonl',
    ])
      refuses('new.db', await cli(`${command} --store sqlite:${path}/new.db`), READ_ONLY)
    for (const deep of ['a/new.db', 'a/b/new.db'])
      refuses(deep, await cli(`serve --port 0 --store sqlite:${path}/${deep}`), /: the file system is read-only\n$/)
    refuses('new.db', await cli(`export --store sqlite:${path}/new.db`), /: there is no such file or directory\n$/)
  }))

it('is not the same as a folder in which a reader may not write: that lacks the files beside the store', async () => {
  const cwd = folder()
  const isRoot = process.getuid?.() === 0 // who is stopped by no permission
  const through = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  await run(['init', '--store', 'sqlite:store.db', '--credentials', 'c.json'], { cwd })
  for (const beside of ['-wal', '-shm']) rmSync(join(cwd, `store.db${beside}`), { force: true })
  if (isRoot) for (const file of ['store.db', 'store.db.lock']) chownSync(join(cwd, file), 65534, 65534)
  chmodSync(cwd, 0o555)
  const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd, through })
  if ((await cli('--version').catch(() => undefined))?.code !== 0)
    return console.log('   left out: nobody else can run the command here')
  refuses('store.db', await cli('audit --store sqlite:store.db'), /and written for the files beside it\n$/)
  refuses('store.db', await cli('serve --port 0 --store sqlite:store.db'), READ_ONLY)
  chmodSync(cwd, 0o777)
  holds(await cli('audit --store sqlite:store.db'))
})

it('answers questions and refuses commands when it comes over a running server, and loses nothing', async () => {
  await on(onDisk(32), async ({ path, shell, mountAgain }, cwd) => {
    const options = ['--store', `sqlite:${path}/store.db`, '--init', '--credentials', 'c.json']
    const server = await serve(options, { cwd })
    const client = await rootClient(join(cwd, 'c.json'))
    const acknowledged: string[] = []
    const until = async (caller: string, isOver: () => boolean): Promise<number> => {
      for (let i = 0; ; i++) {
        const status = await createTag(client, `${caller}-${i}`)
        if (status !== 200 || isOver()) return status
        acknowledged.push(`${caller}-${i}`)
      }
    }
    const callers = ['a', 'b', 'c'].map((caller) => until(caller, () => false))
    await until('first', () => acknowledged.length >= 30)
    const before = [...acknowledged]
    shell(`mount -o remount,abort ${path}`) // what the kernel does to a disk with errors
    assert.equal(await Promise.all(callers), [503, 503, 503])

    const refused = client.stamped('create_user_tag', { userTagName: 'refused', userIds: [] })
    const { status, body } = await refused.send()
    assert.equal([status, body['code'], body['turnkeyErrorCode']], [503, 14, 'INTERNAL'])
    assert.match(String(body['message']), 'the disk of the store does not read or write')
    const seen = new Set(await tagsOf(client))
    assert.equal(
      acknowledged.filter((name) => !seen.has(name)),
      [],
    )
    assert.is((await client.query('whoami')).status, 200)
    assert.is((await fetch(`${server.url}/healthz`)).status, 200)
    assert.is((await server.stop()).code, 0)

    mountAgain()
    holds(await run(['audit', '--store', `sqlite:${path}/store.db`], { cwd }))
    const next = await serve(options, { cwd })
    const kept = new Set(await tagsOf(await rootClient(join(cwd, 'c.json'))))
    // Of what is under way in that moment, the kernel itself says now and then that it was written, and loses it.
    assert.equal(
      before.filter((name) => !kept.has(name)),
      [],
    )
    assert.is((await refused.send(next.url)).status, 200)
    assert.is((await next.stop()).code, 0)
  })
})

it.run()
