import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../until.ts'
import { freePort } from '../free-port.ts'
import { hookOf, hookReceiver } from './hook-receiver.ts'
import { done } from './leaver.ts'
import { rootClient, type RootClient } from './root-client.ts'
import { folder, run, serve } from './run-cli.ts'

const it = suite('a secret in the URL of an endpoint, at the command line')

const CANARY = 'SECRET-CANARY'
const secretOf = (origin: string): string => `${origin}/hook/${CANARY}?token=${CANARY}`

/** Waits until a delivery to the endpoint was tried; gives all that is listed of it. */
const tried = (client: RootClient, endpointId: string, outcome: string): Promise<string> =>
  until(async () => {
    const listed = JSON.stringify(done(await client.query('list_webhook_deliveries', { endpointId })))
    return listed.includes(`"outcome":"${outcome}"`) ? listed : undefined
  })

for (const form of ['json', 'pretty'])
  it(`is in no line of the log and in no number: ${form}`, async () => {
    const cwd = folder()
    const to = await hookReceiver(() => 500)
    const flags = [
      '--store',
      'sqlite:store.db',
      '--init',
      '--credentials',
      'c.json',
      '--metrics',
      '--log-level',
      'trace',
      '--log',
      form,
    ]
    const strict = await serve(flags, { cwd })
    let client = await rootClient(join(cwd, 'c.json'))
    const refused = await hookOf(client, secretOf(new URL(to.url).origin)) // to this machine, which is not public
    const shown = [await tried(client, refused, 'no-address')]
    for (const url of [`https://10.0.0.1/${CANARY}`, `${CANARY} x`]) {
      const answer = await client.submit('create_webhook_endpoint', { url, name: 'hook' })
      assert.is(answer.status, 400)
      shown.push(JSON.stringify(answer.body))
    }
    shown.push(await (await fetch(`${strict.url}/metrics`)).text())
    const first = await strict.stop()

    const open = await serve([...flags, '--allow-private-network'], { cwd })
    client = await rootClient(join(cwd, 'c.json'))
    const failing = await hookOf(client, secretOf(new URL(to.url).origin))
    const nobody = await hookOf(client, secretOf(`http://localhost:${await freePort()}`))
    shown.push(await tried(client, failing, '500'), await tried(client, nobody, 'connection'))
    shown.push(await (await fetch(`${open.url}/metrics`)).text())
    const second = await open.stop()
    const audited = await run(['audit', '--store', 'sqlite:store.db'], { cwd })
    assert.is(audited.code, 0)

    for (const { stdout, stderr } of [first, second, audited]) assert.not.match(`${stdout}${stderr}`, CANARY)
    assert.not.match(shown.join('\n'), CANARY)
    assert.ok(to.heard.some(({ path }) => path === `/hook/${CANARY}?token=${CANARY}`))
    await to.close()
  })

it.run()
