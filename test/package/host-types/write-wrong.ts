/** Writes what the compiler says about the wrong programs: `node --import tsx test/package/host-types/write-wrong.ts`, after a build. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WRONG, wrongPrograms } from './compile-as-host.ts'

for (const [name, text] of wrongPrograms()) writeFileSync(join(WRONG, `${name}.txt`), text)
