import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rootClient } from './root-client.ts'
import { folder, serve } from './run-cli.ts'

const it = suite('serve --qos-version')

it('tells the versions that are named, as a flag or a variable', async () => {
  const cwd = folder()
  const versionsOf = async (flags: readonly string[], env: { readonly [name: string]: string }) => {
    const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json', ...flags], {
      cwd,
      env,
    })
    try {
      return (await (await rootClient(join(cwd, 'c.json'))).query('get_tvc_qos_versions', {})).body
    } finally {
      await server.stop()
    }
  }
  const named = { availableVersions: ['0.12.0', '0.12.1'], latestVersion: '0.12.1' }
  assert.equal(await versionsOf(['--qos-version', '0.12.0', '--qos-version', '0.12.1'], {}), named)
  assert.equal(await versionsOf([], { COUNTERSIGN_QOS_VERSION: '0.12.0,0.12.1' }), named)
  assert.equal(await versionsOf([], {}), { availableVersions: [], latestVersion: '' })
})

it.run()
