import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../temporary-folder.ts'
import { seenOfVaults } from './seen.ts'
import { story } from './host-with-vaults.ts'

const it = suite('a resource in one folder')

it('is whole: state, limits, facts for policies, operations, queries and a projection, through a restart and an audit', async () => {
  const folder = await temporaryFolder()
  const seen = await story(join(folder.path, 'host.db')).finally(() => void folder.remove())
  assert.equal(seen, seenOfVaults)
})

it.run()
