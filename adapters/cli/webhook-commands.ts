/* The flags of the commands for webhooks. */
import { Option, type Command } from 'commander'
import { command, commandGroup, type Define } from './define-command.ts'
import { checkDefaultStore, hostFlag, keystoreFlag, portFlag, readModelsFlag, storeFlag } from './flags.ts'
import type { RotateWebhookKeyOptions, WebhookSecretOptions } from './webhook-keys.ts'
import type { ListenOptions } from './webhook-listen.ts'

export const webhooks: Define = (program, ends) => {
  const group = commandGroup(program, 'webhooks', 'What signs webhooks, and a receiver for development.')
  for (const define of [rotateKey, secret, listen]) define(group, ends)
}

const rotateKey: Define = (group, ends) =>
  command(
    group,
    'rotate-key',
    'Makes a new key for webhooks. It is published at once and signs after 24 hours; the old one is published for 7 days more.',
    'webhooks rotate-key --store sqlite:data/countersign.db',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(keystoreFlag('the keystore of the servers'))
    .option('--json', 'print what was done as JSON')
    .action(async (options: RotateWebhookKeyOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./webhook-keys.ts')).rotateWebhookKey(options))
    })

const secret: Define = (group, ends) =>
  command(
    group,
    'secret',
    'Prints the secret by which the receiver behind an endpoint verifies what it is told, as libraries of Standard Webhooks take it.',
    'webhooks secret 0195c1b0-0000-7000-8000-000000000000 --store sqlite:data/countersign.db',
  )
    .argument('<endpoint>', 'the id of the endpoint')
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(keystoreFlag('the keystore of the servers'))
    .action(async (endpointId: string, options: WebhookSecretOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./webhook-keys.ts')).webhookSecret(endpointId, options))
    })

const listen: Define = (group, ends) =>
  command(
    group,
    'listen',
    'Receives webhooks, verifies them with the keys that a server publishes, and prints them. For development.',
    'webhooks listen --port 9090 --url http://127.0.0.1:8080',
  )
    .addOption(hostFlag('the address to listen on'))
    .addOption(portFlag('the port to listen on; 0 picks a free one').default(9090).env('COUNTERSIGN_WEBHOOK_PORT'))
    .addOption(new Option('--url <url>', 'the server whose keys are trusted').default('http://127.0.0.1:8080'))
    .option('--json', 'print each as a line of JSON')
    .action(async (options: ListenOptions) =>
      ends(await (await import('./webhook-listen.ts')).listenToWebhooks(options)),
    )
