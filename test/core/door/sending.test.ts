import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpServer } from '../../../adapters/http/index.ts'
import { connect, CountersignError, createEngine, generateKey } from '../../../adapters/index.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { createUserTag, listUserTags, whoami } from '../../../core/api.ts'
import { PATIENT } from '../../adapters/http/transport.ts'

const begun = async () => {
  const engine = await createEngine({ store: memoryStore() })
  const key = generateKey()
  const { organizationId } = await engine.createOrganization({ name: 'Post', key })
  return { engine, key, organizationId }
}

const it = suite('a client whose request has no known outcome')

it('can send the same bytes again, and wait on', async () => {
  const { engine, key, organizationId } = await begun()
  const server = httpServer(engine, PATIENT)
  const { url } = await server.listen()
  let lost = 0
  /** Does what is asked, and loses the answer. */
  const losing: typeof fetch = async (...request) => {
    const answer = await fetch(...request)
    if (lost === 0) return answer
    lost -= 1
    await answer.body?.cancel()
    throw new Error('lost')
  }
  const client = connect({ url, organizationId, key, fetch: losing, retriesMax: 0 })
  lost = 1
  const tried = await client.try(createUserTag, { userTagName: 'officers', userIds: [] })
  assert.is(!tried.ok && tried.failure.code, 'UNAVAILABLE')
  const again = tried.ok ? undefined : await tried.retry?.()
  assert.is(again?.ok && again.status, 'completed')
  const tagId: string | undefined = again?.ok === true ? again.result?.userTagId : undefined
  const { userTags } = await client.query(listUserTags, {})
  assert.equal(
    userTags.map(({ tagId: id }) => id),
    [tagId],
  )

  lost = 1
  const error: unknown = await client
    .submitAndWait(createUserTag, { userTagName: 'more', userIds: [] })
    .catch((thrown: unknown) => thrown)
  assert.ok(error instanceof CountersignError && error.retry !== undefined)
  const retried = (await error.retry()) as Awaited<ReturnType<typeof client.submit>>
  assert.is(retried.status, 'completed')
  await server.close().then(() => engine.close())
})

it('has no retry where nothing was done, or only asked', async () => {
  const { engine, key, organizationId } = await begun()
  const client = engine.as({ organizationId, key })
  const refused = await client.try(createUserTag, { userTagName: 'x', userIds: ['nobody'] })
  assert.is('retry' in refused, false)
  await engine.close()
  const closed: unknown = await client.query(whoami, {}).catch((error: unknown) => error)
  assert.ok(closed instanceof CountersignError && closed.retry === undefined)
  assert.equal([closed.code, closed.message], ['UNAVAILABLE', 'the engine is closing'])
  const late = await client.try(createUserTag, { userTagName: 'x', userIds: [] })
  assert.match(
    late.ok ? '' : late.failure.message,
    'the engine is closing; the outcome is unknown: retry() sends the same',
  )
})

it.run()
