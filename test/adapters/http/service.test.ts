import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pathOf } from '../../../adapters/http/service.ts'

const it = suite('paths')

it('takes several slashes at the start for one, as a base URL with a slash at its end makes them', () => {
  assert.is(pathOf('//public/v1/query/whoami'), '/public/v1/query/whoami')
  assert.is(pathOf('///'), '/')
})

it('takes the absolute form, and drops the query string', () => {
  assert.is(pathOf('http://api.example.com:8080/public/v1/query/whoami?x=1'), '/public/v1/query/whoami')
  assert.is(pathOf('HTTPS://api.example.com'), '/')
  assert.is(pathOf('/healthz?from=probe?'), '/healthz')
  assert.is(pathOf('*'), '/*')
})

it('gives some path for any target', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (target) => {
      const path = pathOf(target)
      assert.ok(path.startsWith('/') && !path.startsWith('//') && !path.includes('?'))
      assert.is(pathOf(path), path)
    }),
  )
})

it.run()
