import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { blocksOf, pageOf } from '../../system/docs/markdown.ts'
import { findBinaries } from './server/binaries.ts'
import { onPostgres } from './server/on-postgres.ts'
import { startServer } from './server/own-server.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const it = suite('PostgreSQL store: dumps')

/** The commands of the page, with other URLs in them. */
const commands = (from: string, to: string): string => {
  const page = blocksOf(pageOf('docs/how-to/back-up-and-restore.md'))
  const block = page.find(({ code }) => code.startsWith('pg_dump'))?.code ?? ''
  return block
    .split('\n')
    .filter((line) => line.startsWith('pg_'))
    .join('\n')
    .replace(/'postgres:[^']*db\.example[^']*'/, `'${from}'`)
    .replace(/'postgres:[^']*new\.example[^']*'/, `'${to}'`)
}

await onPostgres(it, ({ urlOf, run }) => {
  it('come back in a fresh server as they were, with the commands of the page', async () => {
    const folder = findBinaries()?.folder ?? ''
    if (!['pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))))
      return console.log('   left out: there is no pg_dump beside the server')
    const database = `dump_${process.pid}`
    await run(`CREATE DATABASE ${database} TEMPLATE template0`)
    const url = urlOf({ database })
    const fresh = await startServer(['fsync=off'])
    if (typeof fresh === 'string') throw new Error(fresh)
    const { path, remove } = await temporaryFolder()
    try {
      const all = async ({ store, readModels }: Storage) => [
        await right(store.readAll(0n, 1_000)),
        await right(store.organizations('', 1_000)),
        await right(readModels.checkpoint('p')),
        await right(readModels.snapshot('acme')),
      ]
      const storage = await right(openPostgresStore({ url }))
      for (let n = 0; n < 50; n++)
        await right(
          storage.store.append([
            anyCommit({
              organization: n % 2 === 0 ? 'acme' : 'ß\u{1F600}',
              events: [anyEvent({ parts: [anyPart()] })],
            }),
          ]),
        )
      await right(storage.readModels.move('p', 0n, 7n, []))
      const before = await all(storage)
      await closed(storage)
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
      const ran = spawnSync('sh', ['-ec', commands(url, fresh.url)], { cwd: path, env, encoding: 'utf8' })
      assert.is(ran.status, 0, ran.stderr)
      const restored = await right(openPostgresStore({ url: fresh.url }))
      assert.equal(await all(restored), before)
      const [answer] = await right(restored.store.append([anyCommit({ organization: 'acme', expected: 25n })]))
      assert.equal(answer, { _tag: 'committed', sequence: 26n, position: 51n })
      await closed(restored)
    } finally {
      await fresh.kill()
      await remove()
      await run(`DROP DATABASE ${database}`)
    }
  })
})

it.run()
