import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inMemory } from '../../file-systems.ts'
import { long } from '../../long.ts'
import { until } from '../../until.ts'
import { rootClient } from './root-client.ts'
import { folder, serve } from './run-cli.ts'

const it = suite('a full disk under a running server')

type Line = { readonly [member: string]: unknown }

long(it)(
  'is told with its cause, in a few lines, and makes the server unready until there is space again',
  async () => {
    const small = await inMemory(8)
    if (small === undefined) return console.log('   left out: no file system can be mounted here')
    try {
      const { path, through, shell } = small
      const cwd = folder()
      const options = [
        '--store',
        `sqlite:${path}/store.db`,
        '--init',
        '--credentials',
        'c.json',
        '--log-level',
        'info',
        '--metrics',
      ]
      const server = await serve(options, { cwd, through })
      const client = await rootClient(join(cwd, 'c.json'))
      const statusOf = async (route: string): Promise<number> => (await fetch(server.url + route)).status
      const submit = (name: string) => client.submit('create_user_tag', { userTagName: name, userIds: [] })
      assert.is(await statusOf('/readyz'), 200)
      assert.is((await submit('before')).status, 200)

      shell(`dd if=/dev/zero of=${path}/filler bs=4k 2>/dev/null; true`)
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => submit(`refused ${n}`)))
      const refused = answers.filter(({ status }) => status === 503)
      assert.ok(refused.length > 0) // the first ones may still find room in the write-ahead log
      for (const { body } of refused) {
        assert.match(String(body['message']), 'the disk of the store is full')
        assert.not.match(JSON.stringify(body), path)
      }
      const unready = await fetch(`${server.url}/readyz`)
      assert.is(unready.status, 503)
      assert.not.match(await unready.text(), path)
      assert.is(await statusOf('/healthz'), 200)
      assert.match(await (await fetch(`${server.url}/metrics`)).text(), 'countersign_store_writable 0')

      shell(`rm ${path}/filler`)
      await until(async () => (await statusOf('/readyz')) === 200) // a trial of the engine finds space
      assert.is((await submit('after')).status, 200)
      const { stderr, code } = await server.stop()
      assert.is(code, 0)
      const lines = stderr
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line) // every line of the log is an object
      const said = lines.filter(({ msg }) => String(msg).includes('the store takes no writes'))
      const full = 'the store takes no writes: the disk of the store is full: make space and try again'
      assert.equal([said[0]?.['msg'], said.at(-1)?.['msg']], [full, `over: ${full}`])
      const { reason, file, system } = said[0] ?? {}
      assert.equal([reason, file, system], ['SQLITE_FULL', join(path, 'store.db'), 'ENOSPC: no space left on device'])
      const served = lines.slice(lines.findIndex(({ msg }) => msg === 'serving') + 1)
      assert.ok(served.length < refused.length, stderr) // one line a minute for the submits, one for the probes, and what else is told
      const failed = lines.find(({ msg }) => msg === 'a request failed')
      assert.match(String(failed?.['requestId']), /^[0-9a-f-]{36}$/)
    } finally {
      small.remove()
    }
  },
)

it.run()
