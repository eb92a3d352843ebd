import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import { E } from '../../../core/prelude.ts'
import { createOrganization } from '../../../core/resources/organization/create-organization.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { beginBelow, right, world, type Place, type World } from '../world/world.ts'
import { borderTo } from './bundle/border.ts'
import { everyExample, operations, queries, queryExamples, texts } from './all-examples.ts'
import { PERSONAL, type OperationExample } from './example.ts'
import { isMentioned, textLeavesOf, textsAt, withText } from './leaves.ts'
import { anyWords, assertResult, assertShows, doorOf, json, parametersOf, sceneOf, type Door } from './scene.ts'
import { textMembersOf } from './text-members.ts'

const it = suite('examples')

const inAWorld = async (
  play: (door: Door, place: Place, storage: World['storage']) => Promise<void>,
  where?: OperationExample['where'],
): Promise<void> => {
  const w = await world({ resources: [...publicApi, ...erasure, ...webhookOperations] })
  const place = where === 'below' ? await beginBelow(w, w) : w
  const door = { ...doorOf(place, (await place.enrol('ada')).userId), border: borderTo(w.engine) }
  await play(door, place, w.storage)
  await w.close()
}

it('are there for each operation, in each type that is offered, and for each query', () => {
  const lacking = [
    ...operations.flatMap((operation) => {
      const example = everyExample.find((one) => one.operation === operation)
      const offered = operation.versions.filter(({ codec }) => codec !== undefined).map(({ type }) => type)
      return offered.filter((type) => example?.valid.has(type) !== true).map((type) => `${operation.path} as ${type}`)
    }),
    ...queries.filter((query) => queryExamples.every((one) => one.query !== query)).map(({ path }) => path),
  ]
  assert.equal(lacking, [], 'test/core/resources/<resource>/examples.ts has no example of these')
})

for (const example of everyExample) {
  const { operation, valid, refused, where } = example
  it(`show ${operation.path}: what it takes, and what it refuses`, () =>
    inAWorld(async (door, place, { store }) => {
      const head = async () => right(await store.head(place.organizationId)())
      const [request, before] = [json(await refused.request(sceneOf(door))), await head()]
      const answer = await place.submit(place.root, operation.path, request)
      assert.is(E.isLeft(answer) && answer.left.code, refused.code)
      assert.equal(await head(), before)
      for (const type of valid.keys()) {
        const parameters = await parametersOf(door, example, type)
        assertResult((await door.submit(operation, type, json(parameters))).result, parameters, example)
      }
    }, where))
}

for (const { query, asked, refused } of queryExamples) {
  it(`show ${query.path}: what it answers`, () =>
    inAWorld(async (door, w) => {
      const { request, shows } = await asked(sceneOf(door))
      assertShows(await door.ask(query, json(request)), shows, query.path)
      if (refused === undefined) return
      const members = json(await refused.request(sceneOf(door))) as { readonly [member: string]: string } // what `json` gives
      const answer = await w.ask(w.root, query.path, members)
      assert.is(E.isLeft(answer) && answer.left.code, refused.code)
    }))
}

it('say of each text member what it is, or that it is left out', async () => {
  await inAWorld(async (door) => {
    const forgotten: string[] = []
    for (const [example, type] of pairs()) {
      const parameters = await parametersOf(door, example, type)
      const leaves = leavesIn(example, type).filter((leaf) => !isMentioned(parameters, leaf))
      forgotten.push(...leaves.map((leaf) => `${type}: ${leaf.join('.')}`))
    }
    assert.equal(forgotten, [])
  })
})

it('take each text that might be another one from the scene: there, others put in what must not be found', async () => {
  await inAWorld(async (door) => {
    const given: string[] = []
    const words = (): ReturnType<typeof anyWords> => ({
      ...anyWords(),
      text: (member) => noted(given, anyWords().text(member)),
      phoneNumber: (member) => noted(given, anyWords().phoneNumber(member)),
    })
    const own: string[] = []
    for (const [example, type] of pairs())
      for (const leaf of leavesIn(example, type)) {
        const parameters = await parametersOf({ ...door, words }, example, type)
        if (textsAt(parameters, leaf).every((text) => given.some((one) => text.includes(one)))) continue
        const changed = withText(json(parameters), leaf, anyWords().text('another'))
        const answer = await door.submit(example.operation, type, changed ?? null).then(
          () => true,
          () => false,
        )
        if (answer) own.push(`${type}: ${leaf.join('.')}`)
      }
    assert.equal(own, [])
  })
})

const pairs = (): readonly (readonly [OperationExample, string])[] =>
  everyExample.flatMap((example) => [...example.valid.keys()].map((type) => [example, type] as const))

const leavesIn = ({ operation }: OperationExample, type: string) => {
  const codec = operation.versions.find((version) => version.type === type)?.codec
  return codec === undefined ? [] : textLeavesOf(jsonSchemaOf(codec))
}

const noted = (list: string[], text: string): string => {
  list.push(text)
  return text
}

it('say of each text member of changes and results whether it is personal, and why it is not', () => {
  const { personal, others } = textMembersOf([...everyExample.map(({ operation }) => operation), createOrganization])
  const said = Object.keys(texts).toSorted()
  assert.equal(
    [...personal].toSorted(),
    said.filter((member) => texts[member] === PERSONAL),
  )
  const chosen = [...others].filter((member) => !IS_RANDOM.test(member) || Object.hasOwn(texts, member))
  assert.equal(chosen.toSorted(), said.filter((member) => texts[member] !== PERSONAL)) // prettier-ignore
})

/** The ids of things are random, or derived from a hash. */
const IS_RANDOM = /(?:^i|I)ds?$/

it.run()
