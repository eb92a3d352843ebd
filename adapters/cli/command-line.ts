import { programOf } from './define-command.ts'
import { erase, scrub } from './erasure-commands.ts'
import { activities, approve, reject, show, watch } from './inbox-commands.ts'
import { audit, copy, exportLog, importLog, replay } from './log-commands.ts'
import { policy } from './policy-commands.ts'
import { checkReadModels } from './flags.ts'
import { printLines } from './print.ts'
import { doctor, init, keygen, request, serve } from './server-commands.ts'
import { unusable } from './stop.ts'

/**
 * Runs one command. The file of a command is loaded only when it runs, so that help and wrong flags are fast.
 *
 * @returns the exit code
 */
export const commandLine = async (argv: readonly string[]): Promise<number> => {
  if (argv.length === 0) throw unusable('expected a command; countersign --help names them')
  const program = programOf({
    writeOut: (text) => printLines(text.replace(/\n$/, '').split('\n')),
    outputError: () => undefined, // `main` prints it, in one line
  })
  program.hook('preAction', (_, given) => checkReadModels(given))
  let exitCode = 0
  const ends = (code: number): void => void (exitCode = code)
  const server = [serve, init, keygen, doctor, request]
  const inbox = [activities, show, approve, reject, watch, erase]
  const logs = [exportLog, importLog, copy, replay, audit, scrub, policy]
  for (const define of [...server, ...inbox, ...logs]) define(program, ends)
  await program.parseAsync(argv, { from: 'user' })
  return exitCode
}
