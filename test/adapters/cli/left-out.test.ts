import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { done, erased } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { folder, json, run, serve, type Ended } from './run-cli.ts'

const it = suite('a large request that was denied')

const cwd = folder()
const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd })
const LEFT_OUT = /"leftOutBytes":70\d{3}/
let denied = ''

type Made = {
  readonly activity: { readonly result: { readonly createUsersResult: { readonly userIds: readonly string[] } } }
}

it.before(async () => {
  const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'root.json', '--erasure'], {
    cwd,
  })
  const root = await rootClient(join(cwd, 'root.json'))
  const mallory = generateKey()
  const { publicKey, curve: curveType } = mallory
  const user = { userName: 'Mallory', authenticators: [], oauthProviders: [], userTags: [] }
  const users = [{ ...user, apiKeys: [{ apiKeyName: 'key', publicKey, curveType }] }]
  const made = done(await root.stamped('create_users', { users }, '_V4').send()) as Made
  const request = stampedRequest(mallory, {
    organizationId: String(json(join(cwd, 'root.json')).organizationId),
    timestampMs: String(Date.now()),
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    parameters: { userTagName: 'mine', userIds: [] },
    more: 'x'.repeat(70_000),
  })
  const headers = { 'x-stamp': String(request.headers['x-stamp']) }
  const path = `${server.url}/public/v1/submit/create_user_tag`
  const answer = await fetch(path, { method: 'POST', headers, body: new Uint8Array(request.body) })
  assert.is(answer.status, 403)
  const { activities } = (await root.query('list_activities', { filterByStatus: ['ACTIVITY_STATUS_REJECTED'] })).body
  denied = (activities as readonly { readonly id: string }[])[0]?.id ?? ''
  await cli('export --store sqlite:store.db --out before.jsonl')
  const [userId = ''] = made.activity.result.createUsersResult.userIds
  done(await root.submit('delete_users', { userIds: [userId] }))
  await erased(root, userId, 'MADE')
  await server.stop()
})

it('is counted by an audit, and is no finding, also after its user was erased', async () => {
  const { code, stdout } = await cli('audit --store sqlite:store.db')
  assert.match(stdout, /\n1 request was denied and is left out: only the log says who made it\n/)
  assert.match(stdout, /\nholds in what the log itself says/)
  assert.is(code, 0)
})

it('passes through an export, an import, a copy and a scrub', async () => {
  const exported = async (store: string): Promise<string> => (await cli(`export --store sqlite:${store}`)).stdout
  assert.is((await cli('export --store sqlite:store.db --out log.jsonl')).code, 0)
  assert.is((await cli('import log.jsonl --store sqlite:imported.db')).code, 0)
  assert.is((await cli('copy sqlite:store.db sqlite:copied.db')).code, 0)
  assert.is((await cli('scrub before.jsonl --out scrubbed.jsonl --store sqlite:store.db')).code, 0)
  const text = await exported('store.db')
  assert.match(text, LEFT_OUT)
  assert.equal([await exported('imported.db'), await exported('copied.db')], [text, text])
  assert.match(readFileSync(join(cwd, 'scrubbed.jsonl'), 'utf8'), LEFT_OUT)
})

it('is explained as far as it is known, and does not disturb the doctor', async () => {
  const explained = await cli(`policy explain --activity ${denied} --store sqlite:store.db`)
  assert.equal([explained.code, explained.stderr], [0, ''])
  assert.match(explained.stdout, /params +gone, with the request/)
  const doctor = await cli('doctor --store sqlite:store.db --credentials root.json')
  assert.equal([doctor.code, doctor.stderr], [0, ''])
})

it.run()
