import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode } from '../../../core/codec/codec.ts'
import { query, type Query } from '../../../core/definition/query.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { E } from '../../../core/prelude.ts'
import { publicQueries, withHost } from '../world/with-host.ts'
import { right, world } from '../world/world.ts'
import { answer } from '../resources/ask.ts'
import { anyOrganization } from '../resources/execute.ts'

const it = suite('query')

const Town = t.fields({ name: t.string, streets: t.array(t.string) }, { mayor: t.string })
type Town = t.TypeOf<typeof Town>

const showTown = (town: unknown) =>
  query({
    path: 'show_town',
    summary: 'Shows the town.',
    request: t.fields({ organizationId: t.Uuid }),
    answer: t.fields({ town: Town }),
    run: () => ({ town: town as Town }), // a host that has lost its types
  })

const shown = (town: unknown) => answer(showTown(town), anyOrganization().state)

it('writes the answer with its codec: what that does not name stays inside, what is undefined is left out', async () => {
  const { town } = await shown({ name: 'Ulm', streets: ['High Street'], mayor: undefined, budget: 7 })
  assert.equal(town, { name: 'Ulm', streets: ['High Street'] })
  assert.equal(Object.keys(town as object), ['name', 'streets'])
})

it('gives an answer that does not change when the state does, as far as its objects go', async () => {
  const living = { name: 'Ulm', streets: [] }
  const { town } = await shown(living)
  living.name = 'Bonn'
  assert.equal(town, { name: 'Ulm', streets: [] })
})

const wrongs: readonly (readonly [what: string, town: unknown, said: RegExp])[] = [
  ['another type', { name: 'secret', streets: [7] }, /town\.streets\.0: expected string/],
  ['a missing member', { name: 'secret' }, /town/],
  ['nothing', undefined, /town/],
  ['a list', [{ name: 'secret', streets: [] }], /at town/],
]
for (const [what, town, said] of wrongs) {
  it(`answers INTERNAL, and tells the operator where, when it is given ${what}`, async () => {
    const notices: Notice[] = []
    const resources = withHost([], [showTown(town)])
    const w = await world({ resources, onNotice: (notice) => void notices.push(notice) })
    const refused = await w.ask(w.root, 'show_town')
    assert.is(E.isLeft(refused) && refused.left.code, 'INTERNAL')
    assert.equal(
      notices.map(({ level, message }) => [level, message]),
      [['error', 'show_town threw']],
    )
    assert.match(JSON.stringify(notices[0]?.context?.['said']), said)
    assert.not.match(JSON.stringify(notices) + JSON.stringify(refused), 'secret')
    right(await w.ask(w.root, 'whoami'))
    await w.close()
  })
}

it('keeps its types, and is a query like all others', () => {
  const typed: Query<'show_town', { organizationId: string }, { town: Town }> = showTown({})
  const all: readonly Query[] = [...publicQueries, typed]
  assert.is(all.at(-1), typed)
  const path: 'show_town' = typed.path
  const read: E.Either<unknown, { town: { name: string; streets: string[]; mayor?: string | undefined } }> = decode(
    typed.codecs.answer,
    'answer',
  )({ town: { name: path, streets: [] } })
  assert.equal(read, E.right({ town: { name: 'show_town', streets: [] } }))
  const isOfCities: Is<typeof typed, Query<'show_town', { organizationId: string }, { city: string }>> = false
  assert.not(isOfCities)
})

type Is<A, B> = A extends B ? true : false

it.run()
