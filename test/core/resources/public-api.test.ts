import * as api from '../../../core/resources/api.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { catalogue } from '../../../core/definition/catalogue.ts'
import * as exportedApi from '../../../core/api.ts'
import { publicOperations, publicQueries } from '../world/with-host.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('public api')

it('makes a catalogue', () => assert.ok(E.isRight(catalogue(publicApi))))

it('tells what each operation is for, in one sentence', () => {
  for (const { summary } of publicOperations) assert.match(summary, /^[A-Z][^.]+\.$/)
})

it('has no operation, and no query, that is not exported: projections and clients name them', () => {
  for (const entry of [api, exportedApi]) {
    const exported = new Set<unknown>(Object.values(entry))
    const hidden = [...publicOperations, ...publicQueries].filter((one) => !exported.has(one))
    assert.equal(hidden.map(({ path }) => path), []) // prettier-ignore
  }
})

it.run()
