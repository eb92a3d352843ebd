import { publicQueries } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import { anyOrganization, fieldsOf } from './execute.ts'
import { refusal } from './ask.ts'

const it = suite('public queries')

it('are found by path', () => {
  const paths = publicQueries.map(({ path }) => path)
  assert.is(new Set(paths).size, paths.length)
})

it('each needs an organization', async () => {
  for (const query of publicQueries) {
    const refused = await refusal(query, anyOrganization().state, { organizationId: 'mine' })
    assert.is(fieldsOf(refused)[0], 'organizationId')
  }
})

it('tell what each is for, in one sentence', () => {
  for (const { summary, codecs } of publicQueries) {
    assert.match(summary, /^[A-Z][^.]+\.$/)
    assert.ok((jsonSchemaOf(codecs.answer).required ?? []).length > 0)
  }
})

it.run()
