import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openApi } from '../../../adapters/http/openapi.ts'
import type { Json } from '../../../core/failure.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { query, type Query } from '../../../core/definition/query.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { publicQueries } from '../../core/world/with-host.ts'
import { right } from '../../core/world/world.ts'
import { described, problemsOf } from './described.ts'

const it = suite('answers in the OpenAPI document')

const ORGANIZATION = '018f3c1e-0000-4000-8000-000000000002'

const nobodyAsks = (): never => {
  throw refuse('INTERNAL', 'no')
}

/** A query that nobody asks. */
const answering = { summary: 'Shows something.', request: t.fields({}), run: nobodyAsks }

const documentOf = (queries: readonly Query[]) => openApi({ catalogue: right(catalogue(publicApi)), queries })

it('are described down to their leaves', () => {
  const { answer } = described(documentOf(publicQueries))
  const timestamp = { seconds: '1', nanos: '0' }
  const tag = {
    tagId: ORGANIZATION,
    tagName: 'a',
    tagType: 'TAG_TYPE_USER',
    createdAt: timestamp,
    updatedAt: timestamp,
  }
  const faults = (one: Json): readonly string[] => answer('query/list_user_tags', 200, { userTags: [one] })
  assert.equal(faults(tag), [])
  assert.equal(faults({ ...tag, tagId: 'a' }), ['/userTags/0/tagId must match format "uuid"'])
  assert.equal(faults({ ...tag, tagType: 'a' }), ['/userTags/0/tagType must be equal to one of the allowed values'])
  assert.equal(faults({ ...tag, createdAt: { seconds: 1 } }).length, 2)
  assert.is(answer('query/list_user_tags', 200, {}).length, 1)
})

it('share what has a name, and keep apart what only has the same one', async () => {
  const mine = t.named('Tag', t.fields({ colour: t.string }))
  const showMine = query({ ...answering, path: 'show_mine', answer: t.fields({ mine, again: mine }) })
  const showVote = query({
    ...answering,
    path: 'show_vote',
    answer: t.fields({ mine: t.named('Colour', mine), again: mine }),
  })
  const document = documentOf([...publicQueries, showMine, showVote])
  assert.equal(await problemsOf(document), [])
  const { answer, component } = described(document)
  assert.is(component('Tag', { colour: 'red' }).length, 5)
  assert.equal(component('Colour', { colour: 'red' }), [])
  for (const path of ['query/show_mine', 'query/show_vote']) {
    assert.equal(answer(path, 200, { mine: { colour: 'red' }, again: { colour: 'red' } }), [])
    assert.is(answer(path, 200, { mine: {}, again: {} }).length, 2)
  }
})

it.run()
