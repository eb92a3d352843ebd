import * as t from '../../../core/codec/t.ts'
import { withHost } from '../../core/world/with-host.ts'
import { createActivityPoller, init, TurnkeyActivityError, TurnkeyApi, withAsyncPolling } from '@turnkey/http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { until } from '../../until.ts'
import { quiet } from '../../core/world/under-way.ts'
import { credentialsOf, onStage, type Stage } from './stage.ts'

const it = suite('@turnkey/http: pollers')

const tagging = ({ asks }: Stage) => asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
const twoRoots = async ({ root, enrol, done }: Stage) => {
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  return ada
}

/** Both pollers of the package, by one name: they submit a tag, and poll every millisecond. */
const pollers: { readonly [name: string]: (stage: Stage) => (body: ReturnType<typeof tagging>) => Promise<unknown> } = {
  createActivityPoller: ({ http, root }) => {
    const client = http(root)
    return createActivityPoller({ client, requestFn: client.createUserTag, refreshIntervalMs: 1 })
  },
  withAsyncPolling: ({ root, url }) => {
    // oxlint-disable typescript/no-deprecated -- hosts that use these still have to work
    init({ ...credentialsOf(root), baseUrl: url })
    const poll = withAsyncPolling({ request: TurnkeyApi.createUserTag, refreshIntervalMs: 1 })
    // oxlint-enable typescript/no-deprecated
    return (body) => poll({ body })
  },
}

const thrown = async (polled: Promise<unknown>): Promise<readonly unknown[]> => {
  const error = await polled.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof TurnkeyActivityError)) throw new Error('expected a TurnkeyActivityError', { cause: error })
  const { message, activityId = '', activityStatus, activityType } = error
  return [message.replace(activityId, '…'), activityStatus, activityType]
}

for (const [name, poller] of Object.entries(pollers)) {
  it(`${name} gives an activity that is completed`, () =>
    onStage(async (stage) => {
      const activity = await poller(stage)(tagging(stage))
      assert.is((activity as { readonly status: string }).status, 'ACTIVITY_STATUS_COMPLETED') // an activity
    }))

  it(`${name} throws for an activity that needs consensus, until somebody approves it`, () =>
    onStage(async (stage) => {
      const ada = await twoRoots(stage)
      const [poll, body] = [poller(stage), tagging(stage)]
      assert.equal(await thrown(poll(body)), [
        'Consensus needed for activity …',
        'ACTIVITY_STATUS_CONSENSUS_NEEDED',
        'ACTIVITY_TYPE_CREATE_USER_TAG',
      ])
      const [parked] = (await stage.http(ada).getActivities({ organizationId: stage.organizationId })).activities
      const { fingerprint = '' } = parked ?? {}
      await stage.http(ada).approveActivity(stage.asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
      assert.is(((await poll(body)) as { readonly id: string }).id, parked?.id) // an activity
    }))

  it(`${name} throws for an activity that was rejected`, () =>
    onStage(async (stage) => {
      const ada = await twoRoots(stage)
      const body = tagging(stage)
      const { activity } = await stage.http(stage.root).createUserTag(body)
      const { fingerprint } = activity
      await stage.http(ada).rejectActivity(stage.asks('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }))
      const [message, status] = await thrown(poller(stage)(body))
      assert.equal([message, status], ['Activity … was rejected', 'ACTIVITY_STATUS_REJECTED'])
    }))

  it(`${name} throws for an activity that failed`, () =>
    onStage(async (stage) => {
      const ada = await twoRoots(stage)
      const [first, second] = [tagging(stage), tagging(stage)]
      const submit = async (body: typeof first) => (await stage.http(stage.root).createUserTag(body)).activity
      for (const { fingerprint } of [await submit(first), await submit(second)])
        await stage.http(ada).approveActivity(stage.asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
      const [message, status] = await thrown(poller(stage)(second))
      assert.equal([message, status], ['Activity … failed', 'ACTIVITY_STATUS_FAILED'])
    }))
}

const ENLISTED = { walletId: '1', operatorId: '2', encryptPublicKey: '3', signPublicKey: '4' }

/** An operation of the public API that this engine lacks, as a host would bring it: `enlist` is its work. */
const enlisting = (enlist: () => Promise<void>) =>
  operation({
    type: 'ACTIVITY_TYPE_CREATE_TVC_OPERATOR',
    path: 'create_tvc_operator',
    summary: 'Takes on an operator, when it gets round to it.',
    resource: 'TVC_APP',
    action: 'CREATE',
    intent: t.fields({ operatorName: t.string, path: t.string }),
    result: t.fields({ walletId: t.string, operatorId: t.string, encryptPublicKey: t.string, signPublicKey: t.string }),
    change: t.fields({}),
    perform: {
      outside: true,
      resumeAfterMs: 60_000,
      attemptsMax: 1,
      whenInterrupted: 'retry',
      performed: t.fields({}),
      run: async () => {
        await enlist()
        return {}
      },
    },
    execute: () => ({ result: ENLISTED, change: {} }),
    evolve: () => undefined,
  })

for (const outcome of ['is completed', 'has failed']) {
  it(`createActivityPoller polls an activity that is pending until it ${outcome}`, async () => {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    let isPerforming = false
    const enlist = async () => {
      isPerforming = true
      await gate
      if (outcome === 'has failed') throw refuse('REQUEST_INVALID', 'the registry refused')
    }
    await onStage(
      async ({ http, root, asks, exchanges, clock }) => {
        const client = http(root)
        const poll = createActivityPoller({ client, requestFn: client.createTvcOperator, refreshIntervalMs: 5 })
        const polled = poll(asks('ACTIVITY_TYPE_CREATE_TVC_OPERATOR', { operatorName: 'ada', path: 'm' }))
        const ending = outcome === 'has failed' ? thrown(polled) : polled
        await until(() => isPerforming)
        await quiet()
        clock.pass(1) // the submit has waited long enough, and answers PENDING
        await until(
          () => exchanges.filter(({ path, status }) => path.endsWith('get_activity') && status === 200).length > 2,
        )
        open()
        const ended = await ending
        if (outcome === 'has failed') {
          assert.equal(ended, ['Activity … failed', 'ACTIVITY_STATUS_FAILED', 'ACTIVITY_TYPE_CREATE_TVC_OPERATOR'])
        } else {
          const { result } = ended as Awaited<typeof polled>
          assert.equal(result.createTvcOperatorResult, ENLISTED)
        }
        assert.match(exchanges[0]?.body ?? '', /"status":"ACTIVITY_STATUS_PENDING"/)
      },
      { resources: withHost([enlisting(enlist)]), waitForEffectsMs: 1 },
    )
  })
}

it.run()
