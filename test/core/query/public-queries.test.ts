import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { publicQueries } from '../../../core/query/public-queries.ts'
import { anyOrganization, fieldsOf } from '../operations/execute.ts'
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
  for (const { summary, answers } of publicQueries) {
    assert.match(summary, /^[A-Z][^.]+\.$/)
    assert.ok(answers.length > 0)
  }
})

it.run()
