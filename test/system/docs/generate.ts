/** Writes the generated pages of the reference: `npm run docs`. The account of what works comes from a run of the conformance tests. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { run } from '../../adapters/cli/run-cli.ts'
import { referencePages } from './reference-pages.ts'

const { stdout } = await run(['serve', '--help'], { cwd: '.' })
for (const [path, text] of await referencePages(stdout)) {
  writeFileSync(path, text)
  console.log(path)
}

const { status, stdout: told } = spawnSync(process.execPath, ['--import', 'tsx', 'test/run.ts', 'system/conformance'], {
  env: { ...process.env, COUNTERSIGN_ACCOUNT: 'write' },
  encoding: 'utf8',
})
if (status !== 0) throw new Error(`the account was not written: a conformance test failed\n${told}`)
console.log('docs/reference/coverage.md')
