import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { right, testClock, world, type Person, type World } from '../../core/world/world.ts'
import { withHost } from '../../core/world/with-host.ts'
import { pageOf } from './markdown.ts'

const it = suite('the recipes of the page on policies')

const PAGE = 'docs/how-to/write-a-policy.md'

/** The policies below the headings of the recipes. */
const recipes: ReadonlyMap<string, string> = new Map(
  [...pageOf(PAGE).text.matchAll(/^### (.*)\n[^]*?^```json\n([^]*?)^```/gm)].map(([, title = '', policy = '']) => [
    title,
    policy,
  ]),
)

const transfer = operation({
  type: 'ACTIVITY_TYPE_TRANSFER',
  path: 'transfer',
  summary: 'Transfers an amount.',
  resource: 'WIRE_TRANSFER',
  action: 'CREATE',
  intent: t.fields({ cents: t.number }),
  result: t.fields({}),
  change: t.fields({}),
  params: ({ cents }) => ({ cents }),
  paramNames: ['cents'],
  execute: () => ({ result: {}, change: {} }),
  evolve: () => undefined,
})

type Office = World & {
  readonly people: { readonly [name: string]: Person }
  readonly tags: { readonly [name: string]: string }
}

/** People with tags, on a Friday morning. */
const office = async (): Promise<Office> => {
  const made = await world({
    resources: withHost([transfer]),
    testClock: testClock(Date.parse('2026-01-02T08:00:00Z')),
  })
  const tags: Record<string, string> = {}
  for (const userTagName of ['officers', 'finance']) {
    const { result } = await made.done(made.root, 'create_user_tag', { userTagName, userIds: [] })
    tags[userTagName] = (result['createUserTagResult'] as { readonly userTagId: string }).userTagId
  }
  const people: Record<string, Person> = {}
  for (const name of ['ada', 'grace', 'edsger', 'outsider'])
    people[name] = await made.enrol(name, name === 'grace' ? Object.values(tags) : [])
  return { ...made, people, tags }
}

/** Creates the policy of a recipe, with the ids of this office. */
const use = async ({ done, root, people, tags }: Office, title: string): Promise<void> => {
  const text = recipes.get(title)
  assert.ok(text !== undefined, title)
  const ids = new Map([
    ...Object.entries(tags),
    ...Object.entries(people).map(([name, { userId }]) => [name, userId] as const),
  ])
  const filled = text.replaceAll(/<(\w+)>/g, (_, name: string) => must(ids.get(name)))
  await done(root, 'create_policy', JSON.parse(filled) as Json)
}

const allowing = (made: Office, condition: string, consensus = '') =>
  made.done(made.root, 'create_policy', {
    policyName: 'allows',
    effect: 'EFFECT_ALLOW',
    condition,
    consensus,
    notes: '',
  })

const must = <A>(given: A | undefined): A => {
  if (given === undefined) throw new Error('the page names somebody who is not there')
  return given
}
/** What becomes of a request: the status, or the code of its denial. */
const outcome = async (made: Office, name: string, path: string, parameters: Json): Promise<string> => {
  const asked = await made.submit(must(made.people[name]), path, parameters)
  return E.isRight(asked) ? asked.right.status : asked.left.code
}
const [COMPLETED, WAITING, DENIED] = [
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  'REQUEST_NOT_AUTHORIZED',
]

let tagNumber = 0
const newTag = (): [string, Json] => ['create_user_tag', { userTagName: `tag ${(tagNumber += 1)}`, userIds: [] }]

/** What each recipe does. */
const scenarios: { readonly [title: string]: (made: Office) => Promise<void> } = {
  'Two of three must approve': async (made) => {
    const [ada, grace] = [must(made.people['ada']), must(made.people['grace'])]
    const asked = await made.done(ada, ...newTag())
    assert.is(asked.status, WAITING)
    assert.ok(E.isLeft(await made.approve(must(made.people['outsider']), asked)))
    assert.is(right(await made.approve(grace, asked)).status, COMPLETED)
    const byOther = await made.done(must(made.people['outsider']), ...newTag())
    assert.is(right(await made.approve(ada, byOther)).status, WAITING)
    assert.is(right(await made.approve(grace, byOther)).status, COMPLETED)
  },
  'Somebody other than the requester': async (made) => {
    const [ada, grace] = [must(made.people['ada']), must(made.people['grace'])]
    const asked = await made.done(ada, ...newTag())
    assert.is(asked.status, WAITING)
    assert.is(right(await made.approve(grace, asked)).status, COMPLETED)
    const byOfficer = await made.submit(grace, ...newTag()) // she alone has the tag, so nobody else could approve
    assert.is(E.isRight(byOfficer) ? byOfficer.right.status : byOfficer.left.code, DENIED)
  },
  'Only on weekdays': async (made) => {
    await allowing(made, "activity.resource == 'USER'")
    assert.is(await outcome(made, 'ada', ...newTag()), COMPLETED)
    made.clock.set(Date.parse('2026-01-02T22:59:59Z')) // a second before midnight in Berlin
    assert.is(await outcome(made, 'ada', ...newTag()), COMPLETED)
    made.clock.pass(1000)
    assert.is(await outcome(made, 'ada', ...newTag()), DENIED)
    made.clock.set(Date.parse('2026-01-04T22:59:59Z'))
    assert.is(await outcome(made, 'ada', ...newTag()), DENIED)
    made.clock.pass(1000)
    assert.is(await outcome(made, 'ada', ...newTag()), COMPLETED)
  },
  'Anyone in finance up to an amount': async (made) => {
    assert.is(await outcome(made, 'grace', 'transfer', { cents: 100_000 }), COMPLETED)
    assert.is(await outcome(made, 'grace', 'transfer', { cents: 100_001 }), DENIED)
    assert.is(await outcome(made, 'ada', 'transfer', { cents: 1 }), WAITING) // for somebody in finance
  },
  'Nobody deletes policies': async (made) => {
    const { result } = await allowing(made, "activity.resource == 'POLICY'")
    const { policyId } = result['createPolicyResult'] as { readonly policyId: string }
    assert.is(await outcome(made, 'ada', 'delete_policy', { policyId }), DENIED)
    assert.is((await made.submit(made.root, 'delete_policy', { policyId }))._tag, 'Right') // the root quorum outranks it
  },
}

for (const [title, run] of Object.entries(scenarios)) {
  it(`do what they say: ${title}`, async () => {
    const made = await office()
    await use(made, title)
    await run(made)
    await made.close()
  })
}

it('are all run', () => assert.equal([...recipes.keys()].toSorted(), Object.keys(scenarios).toSorted()))

it.run()
