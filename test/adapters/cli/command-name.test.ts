import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandName } from '../../../adapters/cli/command-name.ts'

const it = suite('the name of the command in hints')

const cwd = process.cwd()
const [, script = ''] = process.argv

it.after.each(() => void (process.argv[1] = script))

for (const [argument, name] of [
  [join(cwd, 'dist/bin/countersign.js'), 'node dist/bin/countersign.js'],
  [join(cwd, 'my clone/dist/bin/countersign.js'), "node 'my clone/dist/bin/countersign.js'"],
  [join(cwd, 'node_modules/.bin/countersign'), 'npx countersign'],
  ['/usr/local/bin/countersign', 'countersign'],
  [join(cwd, 'test/run.ts'), 'countersign'],
] as const)
  it(`is what runs it again: ${name}`, () => {
    process.argv[1] = argument
    assert.is(commandName(), name)
  })

it.run()
