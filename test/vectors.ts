import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.env['COUNTERSIGN_VECTORS'] ?? fileURLToPath(new URL('../../shared/vectors', import.meta.url))

/**
 * The folder of a public collection of test vectors. They are too large to be part of this repository; where they are
 * missing, it says so in one line, and the test that needs them passes without them.
 *
 * @param folder  inside the collection, such as `wycheproof`
 */
export const vectorFolder = (folder: string): string | undefined => {
  const path = join(root, folder)
  if (existsSync(path)) return path
  console.log(`vectors left out: ${folder} (set COUNTERSIGN_VECTORS)`)
  return undefined
}

/** A JSON file of test vectors, as the type that its caller knows it to have; `undefined` where it is missing. */
export const vectorFile = <A>(folder: string, file: string): A | undefined => {
  const path = vectorFolder(folder)
  return path === undefined ? undefined : (JSON.parse(readFileSync(join(path, file), 'utf8')) as A)
}
