import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { detailsBy } from '../../../adapters/inbox/details.ts'
import type { InboxCalls } from '../../../adapters/inbox/inbox-calls.ts'
import { anActivity } from './office.ts'

const it = suite('what is known of an activity')

const never = async (): Promise<never> => {
  throw new Error('nobody asks for it')
}
const calls: InboxCalls = {
  organizationId: anActivity().organizationId,
  activities: never,
  activity: never,
  vote: never,
  evaluations: async () => [],
  factors: async () => [
    { userId: 'ada', satisfied: true, satisfiedMethods: [], requiredMethods: [] },
    { userId: 'alan', satisfied: false, satisfiedMethods: [], requiredMethods: [1] },
  ],
  users: async () => [{ userId: 'ada', userName: 'Ada', userTags: [], apiKeys: [] }],
  tags: async () => [{ tagId: 'tag', tagName: 'officers' }],
  policies: async () => [],
  quorum: async () => ({ threshold: 1, userIds: ['ada'] }),
}
const refused = new Error('the server does not offer it')
const refusing = async (): Promise<never> => {
  throw refused
}
const isRefused = (error: unknown): boolean => error === refused

it('is what it lacks, whose factors, and the names of ids', async () => {
  const { missing, lacking, names } = await detailsBy(calls, anActivity())
  assert.equal(
    missing?.quorum.among.map(({ userName }) => userName),
    ['Ada'],
  )
  assert.equal(
    lacking.map(({ userId }) => userId),
    ['alan'],
  )
  assert.equal([...names.values()], ['the user Ada', 'the tag officers'])
})

it('is less where it is over', async () => {
  const over = await detailsBy({ ...calls, factors: never }, anActivity({ status: 'ACTIVITY_STATUS_COMPLETED' }))
  assert.equal([over.missing, over.lacking], [undefined, []])
})

it('needs all queries, unless the caller can do without', async () => {
  for (const query of ['evaluations', 'factors', 'users', 'tags', 'policies', 'quorum'] as const) {
    const without = { ...calls, [query]: refusing }
    const error = await detailsBy(without, anActivity()).catch((thrown: unknown) => thrown)
    assert.is(error, refused, query)
    const { missing, lacking, names } = await detailsBy(without, anActivity(), isRefused)
    assert.is(missing === undefined, query !== 'factors' && query !== 'tags', query)
    assert.is(lacking.length, query === 'factors' ? 0 : 1, query)
    assert.is(names.size, query === 'users' || query === 'tags' ? 1 : 2, query)
  }
})

it('is nothing where a query fails in another way', async () => {
  const error = await detailsBy({ ...calls, users: never }, anActivity(), isRefused).catch((thrown: unknown) => thrown)
  assert.instance(error, Error)
})

it.run()
