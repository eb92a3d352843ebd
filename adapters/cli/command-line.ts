import { CommanderError } from 'commander'
import { CountersignError } from '../../core/countersign-error.ts'
import { programOf } from './define-command.ts'
import { erase, scrub } from './erasure-commands.ts'
import { activities, approve, inbox, reject, show, watch } from './inbox-commands.ts'
import { keystore } from './keystore-commands.ts'
import { audit, copy, exportLog, importLog, replay } from './log-commands.ts'
import { policy } from './policy-commands.ts'
import { proxy } from './proxy-commands.ts'
import { checkReadModels } from './flags.ts'
import { printLines, say, useStreams, type Streams } from './print.ts'
import { doctor, init, keygen, newProject, request, serve } from './server-commands.ts'
import { Stop, stopOf } from './stop.ts'
import { webhooks } from './webhook-commands.ts'

/**
 * Runs one command, and says in one line what has stopped it. The file of a command is loaded only when it runs, so that help and wrong
 * flags are fast.
 *
 * @returns the exit code
 */
export const commandLine = async (argv: readonly string[], streams: Streams = process): Promise<number> => {
  useStreams(streams)
  try {
    return await parse(argv)
  } catch (error) {
    const { exitCode, line } = endOf(error)
    if (line !== '') say(`countersign: ${line}`)
    return exitCode
  } finally {
    useStreams(process)
  }
}

const parse = async (argv: readonly string[]): Promise<number> => {
  const program = programOf({
    writeOut: (text) => printLines(linesOf(text)),
    writeErr: (text) => say(...linesOf(text)), // the help, where a command is missing
    outputError: () => undefined, // `commandLine` says it, in one line
  })
  program.hook('preAction', (_, given) => checkReadModels(given))
  let exitCode = 0
  const ends = (code: number): void => void (exitCode = code)
  const server = [serve, init, keygen, newProject, doctor, request, webhooks, proxy]
  const approvals = [inbox, activities, show, approve, reject, watch, erase]
  const logs = [exportLog, importLog, copy, replay, audit, scrub, policy, keystore]
  for (const define of [...server, ...approvals, ...logs]) define(program, ends)
  await program.parseAsync(argv, { from: 'user' })
  return exitCode
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n')

const endOf = (error: unknown): { readonly exitCode: number; readonly line: string } => {
  const stop = error instanceof CountersignError ? stopOf(error) : error
  if (stop instanceof Stop) return { exitCode: stop.exitCode, line: stop.message }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: 0, line: '' }
    // The help that stands for a missing command was printed.
    return { exitCode: 2, line: error.code === 'commander.help' ? '' : oneLine(error.message.replace(/^error: /, '')) }
  }
  return { exitCode: 2, line: `unexpected: ${oneLine(error instanceof Error ? error.message : String(error))}` }
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ')
