import { p256 } from '@noble/curves/nist.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTvcManifestApprovals } from '../../../../core/resources/tvc/create-tvc-manifest-approvals.ts'
import { deleteTvcDeployment } from '../../../../core/resources/tvc/delete-tvc-deployment.ts'
import { restoreTvcDeployment } from '../../../../core/resources/tvc/restore-tvc-deployment.ts'
import { setTvcAppLiveDeployment } from '../../../../core/resources/tvc/set-tvc-app-live-deployment.ts'
import { flatten } from '../../../../core/organization/snapshot.ts'
import { fieldsOf, NOBODY, type Tried } from '../execute.ts'
import {
  approvalsBy,
  approve,
  cloud,
  deploy,
  hashOf,
  keys,
  liveOf,
  shownDeployment,
  type Deployment,
} from './scenes.ts'

const it = suite('approvals of manifests')

it('are shown with who made them, and make a deployment live where nothing was, at the threshold', async () => {
  const { tried, app } = cloud()
  const first = deploy(tried, app)
  const bodies = [await approvalsBy(tried, first, 1), await approvalsBy(tried, first, 3)]
  const lives: unknown[] = []
  for (const body of bodies) {
    const { result } = tried.execute(createTvcManifestApprovals, body)
    assert.is((result as { readonly approvalIds: readonly string[] }).approvalIds.length, 1)
    lives.push(await liveOf(tried, app.appId))
  }
  assert.equal(lives, [undefined, first.deploymentId])
  const { manifestApprovals } = await shownDeployment(tried, first.deploymentId)
  assert.equal(
    manifestApprovals.map(({ operator, approval }) => [operator.id, Buffer.from(approval, 'base64').toString('hex')]),
    bodies.flatMap(({ approvals }) => approvals.map(({ operatorId, signature }) => [operatorId, signature])),
  )
  assert.equal(flatten(tried.replayed()), flatten(tried.state))
})

it('leave what is live as it is, until somebody sets another one', async () => {
  const { tried, app } = cloud()
  const [first, second] = [deploy(tried, app, { nonce: 1 }), deploy(tried, app, { nonce: 2 })]
  await approve(tried, first, 1, 2)
  const tooFew = tried.refuse(setTvcAppLiveDeployment, { deploymentId: second.deploymentId })
  assert.is(tooFew.code, 'REQUEST_INVALID')
  await approve(tried, second, 2, 3)
  assert.is(await liveOf(tried, app.appId), first.deploymentId)
  assert.equal(tried.execute(setTvcAppLiveDeployment, { deploymentId: second.deploymentId }).result, {})
  assert.is(await liveOf(tried, app.appId), second.deploymentId)
})

it('beyond the threshold are taken, and make nothing live again', async () => {
  const { tried, app } = cloud()
  const made = deploy(tried, app)
  await approve(tried, made, 1, 2)
  tried.execute(deleteTvcDeployment, { deploymentId: made.deploymentId })
  tried.execute(restoreTvcDeployment, { deploymentId: made.deploymentId })
  await approve(tried, made, 3)
  assert.is(await liveOf(tried, app.appId), undefined)
  tried.execute(setTvcAppLiveDeployment, { deploymentId: made.deploymentId })
  assert.is(await liveOf(tried, app.appId), made.deploymentId)
})

it('may have a low or a high s, as signers of QuorumOS make them, and count once', async () => {
  for (const isHigh of [false, true]) {
    const { tried, app } = cloud()
    const made = deploy(tried, app)
    const { manifestId, approvals } = await approvalsBy(tried, made, 1)
    const [approval] = approvals
    const { r, s } = p256.Signature.fromHex(approval?.signature ?? '', 'compact')
    const other = s > p256.Point.Fn.ORDER / 2n === isHigh ? s : p256.Point.Fn.ORDER - s
    const signature = new p256.Signature(r, other).toHex('compact')
    tried.execute(createTvcManifestApprovals, { manifestId, approvals: [{ ...approval, signature }] })
    const again = new p256.Signature(r, p256.Point.Fn.ORDER - other).toHex('compact')
    const refused = tried.refuse(createTvcManifestApprovals, {
      manifestId,
      approvals: [{ ...approval, signature: again }],
    })
    assert.equal(fieldsOf(refused), ['approvals.0.operatorId'])
  }
})

type Body = Awaited<ReturnType<typeof approvalsBy>>
type Enemy = readonly [
  what: string,
  fields: readonly string[],
  body: (body: Body, tried: Tried, of: Deployment) => Body | Promise<Body>,
]

const withSignature = ({ manifestId, approvals }: Body, change: (signature: string) => string): Body => ({
  manifestId,
  approvals: approvals.map((one) => ({ ...one, signature: change(one.signature) })),
})

const ENEMIES: readonly Enemy[] = [
  ['of an operator of the share set alone', ['approvals.0.operatorId'], (_, tried, of) => approvalsBy(tried, of, 4)],
  ['twice in one request', ['approvals'], (_, tried, of) => approvalsBy(tried, of, 1, 1)],
  [
    'with the signature of another operator',
    ['approvals.0.signature'],
    async (body, tried, of) => {
      const [other] = (await approvalsBy(tried, of, 2)).approvals
      return withSignature(body, () => other?.signature ?? '')
    },
  ],
  [
    'of a manifest of another deployment',
    ['approvals.0.signature'],
    async (body, tried, of) => {
      const hash = await hashOf(tried, deploy(tried, of, { nonce: 9 }))
      return withSignature(body, () => keys(1).sign(hash))
    },
  ],
  [
    'of the manifest itself, and not of its hash',
    ['approvals.0.signature'],
    async (body, tried, of) => {
      const { manifest } = await shownDeployment(tried, of.deploymentId)
      return withSignature(body, () => keys(1).sign(Buffer.from(manifest.manifest, 'base64')))
    },
  ],
  ['one byte short', ['approvals.0.signature'], (body) => withSignature(body, (signature) => signature.slice(2))],
  ['in DER', ['approvals.0.signature'], (body) => withSignature(body, (signature) => `3044${signature}`)],
  ['of zeros', ['approvals.0.signature'], (body) => withSignature(body, () => '00'.repeat(64))],
  ['beyond the order', ['approvals.0.signature'], (body) => withSignature(body, () => 'ff'.repeat(64))],
  [
    'of whom the second is wrong: not even the first is kept',
    ['approvals.1.signature'],
    async (_, tried, of) => {
      const { manifestId, approvals } = await approvalsBy(tried, of, 1, 2)
      return {
        manifestId,
        approvals: approvals.map((one, at) => (at === 1 ? { ...one, signature: 'ab'.repeat(64) } : one)),
      }
    },
  ],
]

for (const [what, fields, make] of ENEMIES)
  it(`are refused ${what}`, async () => {
    const { tried, app } = cloud()
    const made = deploy(tried, app)
    const body = await make(await approvalsBy(tried, made, 1), tried, made)
    const refused = tried.refuse(createTvcManifestApprovals, body)
    assert.equal([refused.code, fieldsOf(refused)], ['REQUEST_INVALID', fields])
    assert.not(JSON.stringify(refused).includes(body.approvals[0]?.signature ?? ''))
  })

it('are refused a second time', async () => {
  const { tried, app } = cloud()
  const made = deploy(tried, app)
  await approve(tried, made, 1)
  const refused = tried.refuse(createTvcManifestApprovals, await approvalsBy(tried, made, 2, 1))
  assert.equal(fieldsOf(refused), ['approvals.1.operatorId'])
})

it('of what is not there are refused in the same words', async () => {
  const { tried, app } = cloud()
  const made = deploy(tried, app)
  const body = await approvalsBy(tried, made, 1)
  const [approval] = body.approvals
  const bodies = [
    { ...body, manifestId: NOBODY },
    { ...body, approvals: [{ operatorId: NOBODY, signature: approval?.signature ?? '' }] },
  ]
  for (const one of bodies) assert.is(tried.refuse(createTvcManifestApprovals, one).code, 'RESOURCE_NOT_FOUND')
})

it('of a deleted deployment are refused until it is restored', async () => {
  const { tried, app } = cloud()
  const made = deploy(tried, app)
  const body = await approvalsBy(tried, made, 1)
  tried.execute(deleteTvcDeployment, { deploymentId: made.deploymentId })
  assert.is(tried.refuse(createTvcManifestApprovals, body).code, 'REQUEST_INVALID')
  tried.execute(restoreTvcDeployment, { deploymentId: made.deploymentId })
  tried.execute(createTvcManifestApprovals, body)
})

it.run()
