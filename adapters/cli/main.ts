import { commandLine } from './command-line.ts'
import { onReaderGone } from './print.ts'

onReaderGone(() => process.exit(1)) // nobody reads the output any more

process.exitCode = await commandLine(process.argv.slice(2))
