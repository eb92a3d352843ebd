/** `npm run esdb:compare`: what the emulator answers differently from the server at `EVENTSTOREDB_URL`. */
import { parseArgs } from 'node:util'
import { compare } from './compare/compare.ts'
import { SCENES } from './compare/all-scenes.ts'
import { startEmulator } from './emulator.ts'

/** How long a call may say nothing. */
const SILENCE_MS = 4000

const HELP = `Usage: EVENTSTOREDB_URL=esdb://… npm run esdb:compare -- [scene ...]

Plays the same calls on a real server and on the emulator, and prints each difference. The server has to be one for tests: streams
are made in it, and stay there.

Scenes: ${Object.keys(SCENES).join(' ')}`

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  const url = process.env['EVENTSTOREDB_URL']
  const unknown = positionals.filter((name) => !Object.hasOwn(SCENES, name))
  if (values.help === true || url === undefined || unknown.length > 0) {
    console.log(HELP)
    return values.help === true ? 0 : 2
  }
  const emulator = await startEmulator()
  const { calls, differences } = await compare(url, emulator.connectionString, positionals, SILENCE_MS)
  await emulator.stop()
  for (const { scene, call, first, second } of differences)
    console.log(`${scene}: ${call}\n  server    ${first}\n  emulator  ${second}`)
  console.log(`${calls} calls, ${differences.length} answered differently`)
  return differences.length === 0 ? 0 : 1
}

process.exitCode = await main()
