import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const it = suite('the story of the wire transfer')

it('pays once, after two officers have approved, although the service was down', () => {
  const program = ['--import', 'tsx', 'examples/wire-transfer/story.ts']
  const output = execFileSync(process.execPath, program, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  assert.match(output, 'Ada asks to send 2500.00 to Alan: consensus-needed\n   requests to the payment service: 0')
  assert.match(output, 'The engine has tried again, with the same key: completed, with {"paymentId":"payment-1"}')
  assert.match(output, 'requests to the payment service: 3; payments: 1')
  assert.match(output, 'The read model knows 1 transfer: 250000 cents.')
})

it.run()
