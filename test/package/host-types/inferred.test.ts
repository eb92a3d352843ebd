import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileAsHost } from './compile-as-host.ts'

const it = suite('the types that a host gets')

it('are those of its codecs: of intents, results, changes, failures, ports, rows and answers', () =>
  assert.is(compileAsHost(['test/package/host-types/inferred.ts']), ''))

it.run()
