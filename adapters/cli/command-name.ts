import { relative } from 'node:path'
import { shellWord } from './shell.ts'

/** How to run this command once more: in hints for people to paste. */
export const commandName = (): string => {
  const script = process.argv[1] ?? ''
  if (/\bcountersign\.js$/.test(script)) return `node ${shellWord(relative(process.cwd(), script))}` // in a clone
  return /[\\/]node_modules[\\/]\.bin[\\/]/.test(script) ? 'npx countersign' : 'countersign'
}
