import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { join } from 'node:path'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { ada, personResource } from '../../core/command/persons.ts'
import { recordsOf } from '../../core/command/history.ts'
import { right, world } from '../../core/world/world.ts'
import { folder, run, type Ended } from './run-cli.ts'

const it = suite('commands on a log with parts of conclusions')

const cwd = folder()
const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd })
const stateOf = ({ stdout }: Ended) => (JSON.parse(stdout) as { readonly state: { readonly parts?: unknown } }).state

it('replay shows parts as an export spells them, and null for those that are erased; import and export keep them', async () => {
  const w = await world({
    resources: [...publicApi, personResource],
    store: right(await openSqliteStore({ path: join(cwd, 'store.db') })()),
  })
  const { id } = await w.done(w.root, 'register_persons', { persons: [ada], key: 'k' })
  const last = (await recordsOf(w)).at(-1)
  const personal = last?.parts.map(({ name }) => name).find((name) => name !== 'bundle') ?? ''
  const bundle = encodeBase64(encodeUtf8('k 1'))
  const replay = () => cli(`replay --store sqlite:store.db --activity ${id}`)
  assert.equal(stateOf(await replay()).parts, { bundle, [personal]: encodeBase64(encodeUtf8(JSON.stringify(ada))) })

  right(await w.storage.store.eraseParts(w.organizationId, [{ sequence: last?.sequence ?? 0n, name: personal }])())
  assert.equal(stateOf(await replay()).parts, { bundle, [personal]: null })
  await w.close()

  const exported = await cli('export --store sqlite:store.db')
  assert.is((await cli('export --store sqlite:store.db --out log.jsonl')).code, 0)
  assert.is((await cli('import log.jsonl --store sqlite:copy.db')).code, 0)
  assert.is((await cli('export --store sqlite:copy.db')).stdout, exported.stdout)
  assert.equal(stateOf(await cli(`replay --store sqlite:copy.db --activity ${id}`)).parts, { bundle, [personal]: null })
})

it.run()
