import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { placeOf, type Mistake } from '../mutants/known.ts'
import { mutated } from '../mutants/operators.ts'
import type { simulate } from './simulation.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The simulator over sources with a mistake in them. */
export type Faulty = { readonly simulate: typeof simulate; readonly remove: () => void }

/**
 * Copies what the simulator needs, makes the mistake there, and loads the copy beside the sources as they are.
 *
 * @throws where the text to be changed is not there
 */
export const withFault = async (fault: Mistake): Promise<Faulty> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fault-'))
  const copy = (path: string): void => cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const path of [
    'package.json',
    'tsconfig.json',
    'core',
    'adapters',
    'test/core/world',
    'test/campaigns/simulate',
  ])
    copy(path)
  for (const name of readdirSync(join(ROOT, 'test'))) if (name.endsWith('.ts')) copy(`test/${name}`)
  for (const name of ['known.ts', 'operators.ts']) copy(`test/campaigns/mutants/${name}`)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const path = join(folder, fault.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(text, placeOf(fault, text)))
    const loaded = (await import(pathToFileURL(join(folder, 'test/campaigns/simulate/simulation.ts')).href)) as {
      readonly simulate: typeof simulate
    } // a copy of that module
    return { simulate: loaded.simulate, remove }
  } catch (cause) {
    remove()
    throw cause
  }
}
