/* The flags of the commands for keystores. */
import type { Command } from 'commander'
import { command, commandGroup, type Define } from './define-command.ts'
import { checkDefaultStore, keystoreFlag, readModelsFlag, storeFlag, storeWithoutDefault } from './flags.ts'
import type { ExportKeysOptions, ImportKeysOptions } from './keystore-rows.ts'
import type { RotateOptions } from './keystore-rotate.ts'

export const keystore: Define = (program, ends) => {
  const group = commandGroup(program, 'keystore', 'Keeps what opens the keys of wallets and private keys.')
  for (const define of [create, rotate, exportKeys, importKeys]) define(group, ends)
}

const create: Define = (group, ends) =>
  command(group, 'create', 'Makes a keystore in a file, with a new key.', 'keystore create /etc/countersign/keystore')
    .argument('<file>', 'the file to make, which only its owner can read')
    .action(async (file: string) => ends(await (await import('./keystore-create.ts')).createKeystore(file)))

const rotate: Define = (group, ends) =>
  command(
    group,
    'rotate',
    'Puts a new key in front of the keystore, and seals all secrets of the store anew; the same command finishes what was interrupted.',
    'keystore rotate --store sqlite:data/countersign.db',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(keystoreFlag('the keystore'))
    .option(
      '--retire',
      'put no new key there, but remove the older ones when no secret needs them any more; restart all servers before',
    )
    .option('--json', 'print what was done as JSON')
    .action(async (options: RotateOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./keystore-rotate.ts')).rotateKeystore(options))
    })

const exportKeys: Define = (group, ends) =>
  command(
    group,
    'export',
    'Writes the secrets of a store to a file, sealed as they are: only the keystore opens them.',
    'keystore export --store sqlite:data/countersign.db --out keys.jsonl',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .requiredOption('--out <file>', 'the file to write, which is there whole or not at all')
    .option('--force', 'replace a file that is there')
    .action(async (options: ExportKeysOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./keystore-rows.ts')).exportKeys(options))
    })

const importKeys: Define = (group, ends) =>
  command(
    group,
    'import',
    'Adds the secrets of a file to a store, beside its log. What the store has already, or has deleted, stays so.',
    'keystore import --store sqlite:copy.db keys.jsonl',
  )
    .argument('<file>', 'what keystore export has written')
    .addOption(storeWithoutDefault().makeOptionMandatory())
    .addOption(readModelsFlag())
    .action(async (file: string, options: ImportKeysOptions) =>
      ends(await (await import('./keystore-rows.ts')).importKeys(file, options)),
    )
