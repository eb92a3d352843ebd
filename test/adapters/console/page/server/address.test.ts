import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serverAt } from '../../../../../adapters/console/page/server/address.ts'

const test = suite('the server of the console')

const at = (url: string) => serverAt(new URL(url))

test('it is where the page came from', () => {
  assert.is(at('http://127.0.0.1:8080/console'), 'http://127.0.0.1:8080')
  assert.is(at('https://bank.example/console/#/inbox'), 'https://bank.example')
})

test('a base path stays before the API', () =>
  assert.is(at('https://bank.example/countersign/console'), 'https://bank.example/countersign'))

test('?server= names another one', () =>
  assert.is(at('http://localhost/console?server=https%3A%2F%2Fapi.example%2Fbase%2F'), 'https://api.example/base'))

for (const named of ['', 'api.example', 'javascript:alert(1)', 'https://', 'https://ada:secret@api.example'])
  test(`${named === '' ? 'nothing' : named} names no server`, () =>
    assert.is(at(`http://localhost/console?server=${encodeURIComponent(named)}`), undefined))

test.run()
