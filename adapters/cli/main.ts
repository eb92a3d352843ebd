import { CommanderError } from 'commander'
import { commandLine } from './command-line.ts'
import { onReaderGone, say } from './print.ts'
import { Stop } from './stop.ts'

const main = async (argv: readonly string[]): Promise<number> => {
  try {
    return await commandLine(argv)
  } catch (error) {
    const { exitCode, line } = endOf(error)
    if (line !== '') say(`countersign: ${line}`)
    return exitCode
  }
}

const endOf = (error: unknown): { readonly exitCode: number; readonly line: string } => {
  if (error instanceof Stop) return { exitCode: error.exitCode, line: error.message }
  if (error instanceof CommanderError)
    return error.exitCode === 0
      ? { exitCode: 0, line: '' }
      : { exitCode: 2, line: oneLine(error.message.replace(/^error: /, '')) }
  return { exitCode: 2, line: `unexpected: ${oneLine(error instanceof Error ? error.message : String(error))}` }
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ')

onReaderGone(() => process.exit(1)) // nobody reads the output any more

process.exitCode = await main(process.argv.slice(2))
