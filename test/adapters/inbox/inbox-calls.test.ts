import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inboxCalls, WrongAnswer } from '../../../adapters/inbox/inbox-calls.ts'
import { anActivity } from './office.ts'

const it = suite('calls of the inbox')

const { id, organizationId } = anActivity()
const answering = (answer: unknown) => {
  const sent: [string, object][] = []
  const ask = async (path: string, members: object): Promise<unknown> => {
    sent.push([path, members])
    return answer
  }
  return { sent, calls: inboxCalls({ organizationId, ask }) }
}

it('say what they ask for', async () => {
  const list = answering({ activities: [anActivity()] })
  await list.calls.activities({ limit: 10 })
  await list.calls.activities({ limit: 5, before: id, statuses: ['S'], types: ['T'] })
  assert.equal(list.sent, [
    ['query/list_activities', { paginationOptions: { limit: '10' } }],
    [
      'query/list_activities',
      { paginationOptions: { limit: '5', before: id }, filterByStatus: ['S'], filterByType: ['T'] },
    ],
  ])
  const one = answering({ activity: anActivity() })
  await one.calls.vote('reject', 'f')
  assert.equal(one.sent, [
    ['submit/reject_activity', { type: 'ACTIVITY_TYPE_REJECT_ACTIVITY', parameters: { fingerprint: 'f' } }],
  ])
})

const thrownBy = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    return await call
  } catch (error) {
    return error
  }
}

it('reject answers that cannot be read, or are about something else', async () => {
  for (const answer of [undefined, 'text', {}, { activity: null }, { activity: { ...anActivity(), votes: 1 } }])
    assert.instance(await thrownBy(answering(answer).calls.activity(id)), WrongAnswer)
  const another = { activity: anActivity({ id: '00000000-0000-4000-8000-000000000000' }) }
  const error = await thrownBy(answering(another).calls.activity(id))
  assert.ok(error instanceof WrongAnswer && error.message.includes('another activity'))
  assert.equal(await answering({ activity: anActivity() }).calls.activity(id), anActivity())
})

it('reject as the caller wants', async () => {
  const ours = new Error('ours')
  const calls = inboxCalls({ organizationId, ask: async () => ({}), wrong: () => ours })
  assert.is(await thrownBy(calls.users()), ours)
})

it.run()
