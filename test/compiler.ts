import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Runs the TypeScript compiler in a folder; answers with what it says, which is nothing where all is well. */
export const compile = (cwd: string, args: readonly string[]): string =>
  compileBy(resolve('node_modules/typescript/bin/tsc'), cwd, args)

/** The same, with another compiler. */
export const compileBy = (compiler: string, cwd: string, args: readonly string[]): string => {
  try {
    return execFileSync(process.execPath, [compiler, ...args], {
      cwd,
      encoding: 'utf8',
    })
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout) // the compiler ended with a code
  }
}
