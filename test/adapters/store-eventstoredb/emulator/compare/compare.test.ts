import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEmulator, type EmulatorOptions } from '../emulator.ts'
import { compare } from './compare.ts'

const it = suite('comparison of two servers')

const compared = async (options: EmulatorOptions, only?: readonly string[]) => {
  const [first, second] = [await startEmulator(), await startEmulator(options)]
  try {
    return await compare(first.connectionString, second.connectionString, only)
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
}

it('finds nothing between two of a kind, whatever stands in their logs already', async () => {
  const { calls, differences } = await compared({}, ['expectations', 'empty', 'pages', 'removals', 'links'])
  assert.ok(calls > 150)
  assert.equal(differences, [])
})

it('finds what an older server does otherwise', async () => {
  const { differences } = await compared({ version: '20.6.1' }, ['links'])
  assert.ok(differences.length > 0)
  // It does not say positions in streams.
  assert.ok(
    differences.some(({ first, second }) => second.includes(`${2n ** 64n - 1n}`) && first.includes('position 5')),
  )
})

it.run()
