/* The flags of the commands for keystores. */
import type { Command } from 'commander'
import { command, commandGroup, type Define } from './define-command.ts'
import { checkDefaultStore, keystoreFlag, readModelsFlag, storeFlag } from './flags.ts'
import type { RotateOptions } from './keystore-rotate.ts'

export const keystore: Define = (program, ends) => {
  const group = commandGroup(program, 'keystore', 'Keeps what opens the keys of wallets and private keys.')
  for (const define of [create, rotate]) define(group, ends)
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
