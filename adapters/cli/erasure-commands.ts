/* The flags of the commands that erase. */
import { Option, type Command } from 'commander'
import { command, type Define } from './define-command.ts'
import type { EraseOptions } from './erase.ts'
import { checkDefaultCredentials, checkDefaultStore, readModelsFlag, storeFlag } from './flags.ts'
import { calling } from './inbox-commands.ts'
import type { ScrubOptions } from './scrub.ts'

export const erase: Define = (program, ends) =>
  calling(
    program,
    'erase',
    'Erases the personal data of a deleted user, for ever. Says before what that is, and which requests can no longer be verified.',
    'erase --user b1235103-ff80-8706-8980-45ebe2f9f13b --dry-run',
    '',
  )
    .requiredOption('--user <id>', 'the user')
    .addOption(
      new Option('--requests <which>', 'naming: the requests that hold their data; made: also those that they made')
        .choices(['naming', 'made'])
        .default('naming'),
    )
    .option('--dry-run', 'only say what would be erased')
    .option('--yes', 'do not ask')
    .action(async (options: EraseOptions, given: Command) => {
      checkDefaultCredentials(given)
      ends(await (await import('./erase.ts')).erase(options))
    })

export const scrub: Define = (program, ends) =>
  command(
    program,
    'scrub',
    'Writes an old export again, without the parts that the store has erased since.',
    'scrub old.jsonl --store sqlite:data/countersign.db --out scrubbed.jsonl',
  )
    .argument('<export>', 'the old export')
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .requiredOption('--out <file>', 'the file to write, which is there whole or not at all')
    .option('--force', 'replace a file that is there, also the old export itself')
    .option('--json', 'print what was written as JSON')
    .action(async (file: string, options: ScrubOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./scrub.ts')).scrub(file, options))
    })
