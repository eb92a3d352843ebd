import { createRequire } from 'node:module'
import { Command, type OutputConfiguration } from 'commander'

/** Adds a command to the program. `ends` gets the exit code of the command when it has run. */
export type Define = (program: Command, ends: (exitCode: number) => void) => void

/** The program without its commands. */
export const programOf = (output: OutputConfiguration): Command =>
  withVersion(new Command('countersign'))
    .description('An event-sourced activity engine: signed requests, approvals by consensus, an auditable log.')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput(output)

/** Adds a command. Its help ends with the example. */
export const command = (program: Command, name: string, summary: string, example: string): Command => {
  const added = program.command(name).description(summary).allowExcessArguments(false)
  return quietVersion(added).addHelpText('after', `\nExample:\n  $ countersign ${example}`)
}

/** Adds a command that has commands of its own. */
export const commandGroup = (program: Command, name: string, summary: string): Command =>
  quietVersion(program.command(name).description(summary))

const quietVersion = (added: Command): Command => {
  withVersion(added)
    .options.find(({ long }) => long === '--version')
    ?.hideHelp() // each command takes it, and the help of the program names it
  return added
}

const withVersion = (to: Command): Command => to.version(versionOf(), '-V, --version', 'print the version')

/** The version of the package. */
export const versionOf = (): string => {
  const manifest = createRequire(import.meta.url)('countersign/package.json') as { readonly version: string } // our own
  return manifest.version
}
