/* The flags of the commands that read or write whole logs. */
import { Option, type Command } from 'commander'
import type { AuditOptions } from './audit.ts'
import type { CopyOptions } from './copy.ts'
import { command, type Define } from './define-command.ts'
import type { ExportOptions } from './export.ts'
import {
  adoptReadModelsFlag,
  checkDefaultStore,
  listed,
  readModelsFlag,
  resourcesFlag,
  storeFlag,
  storeUnless,
  storeWithoutDefault,
  wholeNumber,
} from './flags.ts'
import type { ImportOptions } from './import.ts'
import type { ReplayOptions } from './replay.ts'

export const exportLog: Define = (program, ends) =>
  command(
    program,
    'export',
    'Writes the whole log as text, also while a server runs.',
    'export --store sqlite:data/countersign.db --out log.jsonl',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .option('--out <file>', 'write a file, which is there whole or not at all, instead of printing')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print what was written as JSON; with --out')
    .action(async (options: ExportOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./export.ts')).exportLog(options))
    })

export const importLog: Define = (program, ends) =>
  command(program, 'import', 'Reads an exported log into an empty store.', 'import --store sqlite:copy.db log.jsonl')
    .argument('<file>', 'the exported log')
    .addOption(storeWithoutDefault().makeOptionMandatory())
    .addOption(readModelsFlag())
    .addOption(adoptReadModelsFlag())
    .action(async (file: string, options: ImportOptions) =>
      ends(await (await import('./import.ts')).importLog(file, options)),
    )

export const copy: Define = (program, ends) =>
  command(
    program,
    'copy',
    'Copies the log of a store into an empty one, and compares them. The same command finishes a copy that was interrupted.',
    'copy sqlite:data/countersign.db sqlite:copy.db',
  )
    .argument('<from>', 'the URL of a store; it is only read')
    .argument('<to>', 'the URL of the store to copy into; it is made if there is none')
    .addOption(readModelsFlag('where the store that is on EventStoreDB, or the first of two, keeps its read models'))
    .addOption(
      new Option('--to-read-models <url>', 'the same of the second store, if both are on EventStoreDB').env(
        'COUNTERSIGN_TO_READ_MODELS',
      ),
    )
    .addOption(adoptReadModelsFlag())
    .option('--json', 'print what was copied as JSON')
    .action(async (from: string, to: string, options: CopyOptions) =>
      ends(await (await import('./copy.ts')).copy(from, to, options)),
    )

export const replay: Define = (program, ends) =>
  command(
    program,
    'replay',
    'Folds the log up to a moment and prints the state: of an activity, of an organization, or what the store holds.',
    'replay --store sqlite:data/countersign.db --at 2026-11-21T09:30:00Z',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(new Option('--activity <id>', 'one activity').conflicts('organization'))
    .option('--organization <id>', 'one organization')
    .option('--at <moment>', 'a position (digits alone) or a date (RFC 3339); the end of the log if left out')
    .addOption(resources())
    .action(async (options: ReplayOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./replay.ts')).replay(options))
    })

export const audit: Define = (program, ends) =>
  command(
    program,
    'audit',
    'Checks a log: its chains, every stamp, every decision. Exit code 0 when all holds, 1 with a line for each finding.',
    'audit log.jsonl --pin ORGANIZATION=HASH',
  )
    .argument('[file]', 'an exported log')
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .option('--json', 'print the report as JSON')
    .addOption(resources())
    .addOption(
      new Option('--pin <organization=hash>', 'the hash that an organization has to begin with; may be repeated')
        .argParser(listed)
        .default([], 'none'),
    )
    .addOption(
      new Option('--head <organization=sequence:hash>', 'where an earlier audit saw the log end; may be repeated')
        .argParser(listed)
        .default([], 'none'),
    )
    .option(
      '--keep-heads <file>',
      'compare with the heads in this file, if it is there, and if there is no finding, replace it by those of this audit',
    )
    .addOption(
      new Option(
        '--erased-max <number>',
        'how many parts may have been erased; each beyond them is a finding; any number if not given',
      ).argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--clock-lag-max <seconds>',
        'how far the clock of the server may have been behind the log; further is a finding; 300 if not given',
      ).argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--believed-max <number>',
        'how many events may rest on a revision of their operation that this version does not have any more, on an ' +
          'organization that the transcript does not have, or on keys that were not given; each beyond them is a ' +
          'finding; any number if not given',
      ).argParser(wholeNumber),
    )
    .option(
      '--keys <file>',
      'what GET /public/v1/discovery/keys answered: events that rest on verification tokens are believed if not given',
    )
    .addOption(
      new Option(
        '--limits <file>',
        'JSON of the limits that were in force, such as {"users":500}, or a list of them with dates; ' +
          'each event for which others were read is a finding; the default limits if not given',
      ),
    )
    .action(async (file: string | undefined, options: AuditOptions & { readonly store: string }, given: Command) => {
      const store = storeUnless(given, file !== undefined, options.store, 'a file, or --store')
      ends(await (await import('./audit.ts')).audit(file, { ...options, store }))
    })

/** The flag for the resources of a host, of commands that read logs. */
export const resources = (): Option =>
  resourcesFlag('a module that exports the resources of the host, where the log has any; TypeScript on Node 24')
