import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { organizationRequest, publicApi, type Json } from 'countersign'
import { auditLog, exportLog, sqliteStore, type Engine } from 'countersign/fp'
import { httpHandler } from 'countersign/http'
import { generateKey, stamp, stampedRequest, type SigningKey } from 'countersign/signatures'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { paymentService, type PaymentService } from '../../../examples/wire-transfer/payment-service.ts'
import { wireTransfers } from '../../../examples/wire-transfer/wire-transfer.ts'
import { until } from '../../until.ts'
import { host, right, transfer, transferOf, type Body, type HostOptions } from './wire-transfer-host.ts'

type Scene = {
  readonly payments: PaymentService
  readonly options: HostOptions
  readonly key: SigningKey
  readonly organizationId: string
  readonly body: Body
}

const it = suite<Scene>('the wire transfer')

it.before.each(async (scene) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-wire-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const payments = await paymentService()
  const options = { path: join(folder, 'activities.db'), paymentsUrl: payments.url, resumeAfterMs: 200 }
  const key = generateKey('API_KEY_CURVE_P256')
  const engine = await host(options)
  const begun = right(await engine.createOrganization(organizationRequest({ name: 'Treasury', key }))())
  await engine.close()
  const { organizationId } = begun.activity
  Object.assign(scene, { payments, options, key, organizationId, body: transferOf(organizationId, String(Date.now())) })
})

it.after.each(({ payments }) => payments.close())

it('sends the money, and is asked about by its query and its route', async (scene) => {
  const { payments, key, organizationId, body } = scene
  await withHost(scene, async (engine) => {
    const sent = await transfer(engine, key, body)
    assert.is(sent.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal(sent.result, { wireTransferResult: { paymentId: 'payment-1' } })
    assert.equal([...payments.payments.keys()], [sent.id])

    const listed = right(await engine.query('list_wire_transfers', stampedRequest(key, { organizationId }))())
    assert.is(listed['sumCents'], '250000')
    const [transferred] = listed['wireTransfers'] as readonly { readonly activityId: string }[]
    assert.is(transferred?.activityId, sent.id)

    assert.is((await posted(engine, '/public/v1/submit/wire_transfer', key, body)).activity?.id, sent.id)
  })
  assert.is(payments.requests.size, 1)
})

it('asks for the approvals that its policy wants', async (scene) => {
  const { payments, key, organizationId } = scene
  await withHost(scene, async (engine) => {
    const submit = async (by: SigningKey, path: string, type: string, parameters: Json) =>
      right(
        await engine.submit(
          path,
          stampedRequest(by, { type, timestampMs: String(Date.now()), organizationId, parameters }),
        )(),
      )
    const officers = [generateKey('API_KEY_CURVE_P256'), generateKey('API_KEY_CURVE_ED25519')]
    const [ada = key, grace = key] = officers
    const users = officers.map(({ publicKey, curve }, index) => ({
      userName: `officer ${index}`,
      apiKeys: [{ apiKeyName: 'key', publicKey, curveType: curve }],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }))
    await submit(key, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
    await submit(key, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'two officers for transfers',
      effect: 'EFFECT_ALLOW',
      condition: "activity.resource == 'WIRE_TRANSFER' && activity.params.amount_cents == '250000'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    })
    const asked = await transfer(engine, ada, transferOf(organizationId, String(Date.now())))
    assert.is(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.is(payments.requests.size, 0)
    const { fingerprint } = asked
    const approved = await submit(grace, 'approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.is(approved.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is(payments.payments.size, 1)
  })
})

it('asks again while the service is down', async (scene) => {
  const { payments, key, body } = scene
  payments.failNext(2)
  await withHost(scene, async (engine) => {
    const { id } = await transfer(engine, key, body)
    assert.is(await finished(engine, scene, id), 'ACTIVITY_STATUS_COMPLETED')
    assert.is(payments.requests.get(id), 3)
    assert.is(payments.payments.size, 1)
  })
})

it('is finished by the next start when the process is killed, and pays once', async (scene) => {
  const { payments, options } = scene
  const id = await killedWhilePaying(scene, options)
  await withHost(scene, async (engine) => {
    assert.is(await finished(engine, scene, id), 'ACTIVITY_STATUS_COMPLETED')
    assert.ok((payments.requests.get(id) ?? 0) > 1)
    assert.is(payments.payments.size, 1)
  })
  await auditFinds(scene, 0)
})

it('fails when the process is killed, where it may not be repeated', async (scene) => {
  const { payments, options } = scene
  const id = await killedWhilePaying(scene, { ...options, whenInterrupted: 'fail' })
  await withHost({ ...scene, options: { ...options, whenInterrupted: 'fail' } }, async (engine) => {
    assert.is(await finished(engine, scene, id), 'ACTIVITY_STATUS_FAILED')
    assert.is(payments.requests.get(id), 1)
    const { failure } = await transfer(engine, scene.key, scene.body)
    assert.is(failure?.code, 'INTERRUPTED')
  })
  await auditFinds(scene, 0)
})

const withHost = async (
  { options }: Pick<Scene, 'options'>,
  play: (engine: Engine) => Promise<void>,
): Promise<void> => {
  const engine = await host(options)
  try {
    await play(engine)
  } finally {
    await engine.close()
  }
}

/** Kills a host when the money is on its way and nobody has been told; gives the transfer's id. */
const killedWhilePaying = async ({ payments, key, body }: Scene, options: HostOptions): Promise<string> => {
  payments.loseNext(1)
  const program = fileURLToPath(new URL('wire-transfer-host.ts', import.meta.url))
  const args = ['--import', 'tsx', program, JSON.stringify(options), key.privateKey, JSON.stringify(body)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await until(() => payments.requests.size > 0 || child.exitCode !== null)
  assert.is(child.exitCode, null)
  child.kill('SIGKILL')
  await ended
  return [...payments.requests.keys()][0] ?? ''
}

const finished = (engine: Engine, { key, organizationId }: Scene, activityId: string): Promise<string> =>
  until(async () => {
    const asked = stampedRequest(key, { organizationId, activityId })
    const { activity } = right(await engine.query('get_activity', asked)())
    const { status } = activity as { readonly status: string }
    return status === 'ACTIVITY_STATUS_PENDING' ? undefined : status
  })

const auditFinds = async ({ options }: Scene, findings: number): Promise<void> => {
  const { store, readModels } = right(await sqliteStore({ path: options.path, readOnly: true })())
  const chunks: Uint8Array[] = []
  for await (const chunk of exportLog(store)) chunks.push(right(chunk))
  await readModels.close()
  await store.close()
  const report = right(await auditLog(chunks, { resources: [...publicApi, wireTransfers()] })())
  assert.is(report.findings.length, findings)
}

type Answer = { readonly activity?: { readonly id: string } }

const posted = async (engine: Engine, path: string, key: SigningKey, json: Body): Promise<Answer> => {
  const server = createServer(httpHandler(engine))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const body = Buffer.from(JSON.stringify(json))
  const headers = { 'X-Stamp': stamp(key, body) }
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    return (await response.json()) as Answer
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

it.run()
