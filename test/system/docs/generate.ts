/** Writes the generated pages of the reference: `npm run docs`. */
import { writeFileSync } from 'node:fs'
import { run } from '../../adapters/cli/run-cli.ts'
import { referencePages } from './reference-pages.ts'

const { stdout } = await run(['serve', '--help'], { cwd: '.' })
for (const [path, text] of await referencePages(stdout)) {
  writeFileSync(path, text)
  console.log(path)
}
