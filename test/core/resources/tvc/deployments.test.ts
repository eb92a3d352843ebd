import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { createTvcApp } from '../../../../core/resources/tvc/create-tvc-app.ts'
import { createTvcDeployment } from '../../../../core/resources/tvc/create-tvc-deployment.ts'
import { deleteTvcAppAndDeployments } from '../../../../core/resources/tvc/delete-tvc-app-and-deployments.ts'
import { deleteTvcDeployment } from '../../../../core/resources/tvc/delete-tvc-deployment.ts'
import { getAppStatus } from '../../../../core/resources/tvc/get-app-status.ts'
import { getTvcDeployment } from '../../../../core/resources/tvc/get-tvc-deployment.ts'
import { getTvcQosVersions } from '../../../../core/resources/tvc/get-tvc-qos-versions.ts'
import { listTvcAppDeployments } from '../../../../core/resources/tvc/list-tvc-app-deployments.ts'
import { restoreTvcDeployment } from '../../../../core/resources/tvc/restore-tvc-deployment.ts'
import { setTvcAppLiveDeployment } from '../../../../core/resources/tvc/set-tvc-app-live-deployment.ts'
import { tvcOperators } from '../../../../core/resources/tvc/tvc-operators.ts'
import { withQosVersions } from '../../../../core/resources/tvc/tvc-resource.ts'
import { codeOf, right, world } from '../../world/world.ts'
import { answer, refusal } from '../ask.ts'
import { fieldsOf, NOW } from '../execute.ts'
import { anyApp, anyDeployment, approve, cloud, deploy, liveOf, shownDeployment } from './scenes.ts'

const it = suite('deployments of the verifiable cloud')

it('have sizes where the request gives none, and show no secret', async () => {
  const { tried, app } = cloud()
  const secret = '7Yh4'.repeat(20)
  const { deploymentId } = deploy(tried, app, {
    pivotContainerEncryptedPullSecret: secret,
    instanceSizeCpus: 0,
    replicas: null,
  })
  const shown = await answer(getTvcDeployment, tried.state, { deploymentId })
  assert.not(JSON.stringify(shown).includes(secret))
  const { instanceSizeCpus, instanceSizeRam } = shown['tvcDeployment'] as { readonly [member: string]: Json }
  assert.equal([instanceSizeCpus, instanceSizeRam], [2, 1])
})

it('say what state they are in, and that nothing is started', async () => {
  const { tried, app } = cloud()
  const [first, second, third] = [
    deploy(tried, app, { nonce: 1, replicas: 5 }),
    deploy(tried, app, { nonce: 2 }),
    deploy(tried, app, { nonce: 3 }),
  ]
  await approve(tried, first, 1, 2)
  tried.execute(deleteTvcDeployment, { deploymentId: third.deploymentId })
  const seconds = { lastUpdatedTime: { seconds: String(NOW / 1_000), nanos: '0' } }
  assert.equal(await answer(getAppStatus, tried.state, { appId: app.appId }), {
    appStatus: {
      appId: app.appId,
      deployments: [
        {
          deploymentId: first.deploymentId,
          readyReplicas: 0,
          desiredReplicas: 5,
          ...seconds,
          provisioningState: 'PROVISIONING_STATE_AWAITING_PROVISION',
        },
        {
          deploymentId: second.deploymentId,
          readyReplicas: 0,
          desiredReplicas: 3,
          ...seconds,
          provisioningState: 'PROVISIONING_STATE_PENDING',
        },
      ],
      targetedDeploymentId: first.deploymentId,
    },
  })
})

it('that are deleted are marked, are no longer live, and come back with their approvals', async () => {
  const { tried, app } = cloud()
  const { deploymentId } = await (async () => {
    const made = deploy(tried, app)
    await approve(tried, made, 1, 2)
    return made
  })()
  tried.execute(deleteTvcDeployment, { deploymentId }, { atMs: NOW + 1_000 })
  const deleted = await shownDeployment(tried, deploymentId)
  assert.equal([deleted.delete, deleted.updatedAt], [true, { seconds: String(NOW / 1_000 + 1), nanos: '0' }])
  assert.is(await liveOf(tried, app.appId), undefined)
  for (const operation of [deleteTvcDeployment, setTvcAppLiveDeployment])
    assert.is(tried.refuse(operation, { deploymentId }).code, 'REQUEST_INVALID')
  tried.execute(restoreTvcDeployment, { deploymentId })
  const restored = await shownDeployment(tried, deploymentId)
  assert.equal([restored.delete, restored.manifestApprovals.length], [false, 2])
  assert.is(await liveOf(tried, app.appId), undefined)
  assert.is(tried.refuse(restoreTvcDeployment, { deploymentId }).code, 'REQUEST_INVALID')
  tried.execute(setTvcAppLiveDeployment, { deploymentId })
})

it('leave what is live as it is when another one is deleted', async () => {
  const { tried, app } = cloud()
  const [first, second] = [deploy(tried, app, { nonce: 1 }), deploy(tried, app, { nonce: 2 })]
  await approve(tried, first, 1, 2)
  tried.execute(deleteTvcDeployment, { deploymentId: second.deploymentId })
  assert.is(await liveOf(tried, app.appId), first.deploymentId)
})

it('go with their app for good, and leave those of others and the operators', async () => {
  const { tried, app } = cloud()
  const other = { ...app, ...(tried.execute(createTvcApp, anyApp({ name: 'other' })).result as typeof app) }
  const [gone, kept] = [deploy(tried, app), deploy(tried, other)]
  tried.execute(deleteTvcAppAndDeployments, { appId: app.appId })
  const lost = await refusal(getTvcDeployment, tried.state, { deploymentId: gone.deploymentId })
  assert.is(lost.code, 'RESOURCE_NOT_FOUND')
  const left = await answer(listTvcAppDeployments, tried.state, { appId: other.appId })
  assert.equal(
    (left['tvcDeployments'] as readonly { readonly id: string }[]).map(({ id }) => id),
    [kept.deploymentId],
  )
  assert.is(tvcOperators.of(tried.state).size, 5)
  tried.execute(createTvcApp, anyApp()) // its name is free again
})

it('are in debug mode only where the app was created for it', () => {
  const plain = cloud()
  const refused = plain.tried.refuse(createTvcDeployment, anyDeployment(plain.app.appId, { debugMode: true }))
  assert.equal(fieldsOf(refused), ['debugMode'])
  const debugging = cloud({ enableDebugModeDeployments: true })
  deploy(debugging.tried, debugging.app, { debugMode: true })
})

const REFUSED: readonly (readonly [field: string, value: Json])[] = [
  ['publicIngressPort', 0],
  ['healthCheckPort', 65_536],
  ['replicas', 0],
  ['replicas', 101],
  ['nonce', 2 ** 32],
  ['nonce', -1],
  ['nonce', 0.5],
  ['expectedPivotDigest', 'ab'.repeat(31)],
  ['expectedPivotDigest', `sha256:${'ab'.repeat(32)}`],
  ['pivotArgs', Array.from({ length: 129 }, () => '')],
  ['pivotArgs', ['a'.repeat(4_096), 'b'.repeat(4_096), 'c']],
  ['pivotContainerEncryptedPullSecret', '{"auths":{"registry.example.com":{"auth":"aHVudGVyMg=="}}}'],
]

for (const [field, value] of REFUSED)
  it(`refuse a wrong ${field}: ${JSON.stringify(value).slice(0, 30)}`, () => {
    const { tried, app } = cloud()
    const refused = tried.refuse(createTvcDeployment, anyDeployment(app.appId, { [field]: value }))
    assert.equal(fieldsOf(refused), [field])
    assert.not(JSON.stringify(refused).includes('auths'))
  })

it('are limited for each app, and those that are marked as deleted count', () => {
  const { tried, app } = cloud()
  const { deploymentId } = deploy(tried, app)
  tried.execute(deleteTvcDeployment, { deploymentId })
  const limits = { tvcDeployments: 1 }
  assert.is(tried.refuse(createTvcDeployment, anyDeployment(app.appId), { limits }).code, 'RESOURCE_EXHAUSTED')
})

it('name one of the versions that the operator of the server names, if it names some', async () => {
  const w = await world({ resources: withQosVersions(publicApi, ['0.12.0', '0.12.1']) })
  const versions = right(await w.ask(w.root, getTvcQosVersions.path, {}))
  assert.equal(versions, { availableVersions: ['0.12.0', '0.12.1'], latestVersion: '0.12.1' })
  const made = await w.done(w.root, createTvcApp.path, anyApp())
  const { appId } = (made.result as { readonly createTvcAppResult: { readonly appId: string } }).createTvcAppResult
  await w.done(w.root, createTvcDeployment.path, anyDeployment(appId))
  const other = await w.submit(w.root, createTvcDeployment.path, anyDeployment(appId, { qosVersion: '0.11.0' }))
  assert.is(codeOf(other), 'REQUEST_INVALID')
  await w.close()
})

it.run()
