/** The page of configuration: options by their docstrings, flags by the help of the command. */
import { publicApi } from '../../../core/resources/public-api.ts'
import { membersOf, type Documented } from './docstrings.ts'
import { page, table } from './shape-table.ts'

const options = (members: readonly Documented[]): string =>
  table(
    ['option', 'required', 'meaning'],
    members.map(({ name, isOptional, meaning }) => [`\`${name}\``, isOptional ? 'no' : 'yes', meaning]),
  )

/** @param serveHelp  what `countersign serve --help` prints */
export const configurationPage = (serveHelp: string): string =>
  page(
    'Configuration',
    'This page lists every option of the engine, the HTTP server, the stores and `countersign serve`.',
    '## `createEngine`',
    `From \`countersign\`, all but \`store\` have defaults: those marked "On Node". From \`countersign/core\` the required ones have
to be given.`,
    options(membersOf('core/engine.ts', 'EngineOptions')),
    `On Node there is one more, \`keystore\`: what opens the keys of wallets and private keys, such as \`fileKeystore({ path })\`. Without it, what needs
a key of its own is \`UNSUPPORTED\`: see [Keep keys](../how-to/keep-keys.md).`,
    '### `tuning`',
    options(membersOf('core/engine.ts', 'Tuning')),
    '### `limits`',
    table(
      ['limit', 'default', 'counted'],
      publicApi.flatMap(({ limits }) =>
        Object.entries(limits.byName).map(([name, limit]) => [`\`${name}\``, String(limit.default), limit.about]),
      ),
    ),
    '## `httpHandler`, `fetchHandler` and `httpServer`',
    options(membersOf('adapters/http/options.ts', 'HttpHandlerOptions')),
    '`httpServer` alone:',
    options(membersOf('adapters/http/options.ts', 'HttpServerOptions')),
    '## `consoleFiles`',
    `Of \`countersign/console\`: the page of [the console](command-line.md#the-console), for the option \`files\` above or for any server of files.`,
    options(membersOf('adapters/console/console-files.ts', 'ConsoleOptions')),
    '## `openTelemetry`',
    options(membersOf('adapters/telemetry/open-telemetry.ts', 'OpenTelemetryOptions')),
    '## `sqliteStore`',
    options(membersOf('adapters/store-sqlite/open.ts', 'SqliteStoreOptions')),
    '## `memoryStore`',
    options(membersOf('adapters/store-memory/index.ts', 'MemoryStoreOptions')),
    '## `fileKeystore` and `envKeystore`',
    options(membersOf('adapters/keyring/file-keystore.ts', 'FileKeystoreOptions')),
    '`envKeystore`:',
    options(membersOf('adapters/keyring/env-keystore.ts', 'EnvKeystoreOptions')),
    '## `smtpMailer` and `twilioSms`',
    'Of `countersign/mail` and `countersign/sms`: see [Sign up and in by a code](../how-to/sign-up-by-code.md#send-messages-from-a-program-of-your-own).',
    options(membersOf('adapters/mail/smtp-mailer.ts', 'SmtpMailerOptions')),
    '`twilioSms`:',
    options(membersOf('adapters/sms/twilio-sms.ts', 'TwilioSmsOptions')),
    '## `identityTokens`',
    `Of \`countersign/identity-tokens\`: the service of the port \`identityTokens\`, which finds the keys of the issuers of
[identity tokens](command-line.md#identity-tokens).`,
    options(membersOf('adapters/identity-tokens/identity-tokens.ts', 'IdentityTokensOptions')),
    '## `oauth2Providers`',
    'Of `countersign/oauth2`: see [Sign-ins at X and Discord](command-line.md#sign-ins-at-x-and-discord).',
    options(membersOf('adapters/oauth2/oauth2-providers.ts', 'Oauth2ProvidersOptions')),
    '## `countersign serve`',
    'A flag outranks its variable in the environment.',
    table(['flag', 'variable', 'default', 'meaning'], flagsOf(serveHelp)),
    '## Limits of this page',
    'All other commands and their flags are in [Command line](command-line.md).',
  )

/** The flags in the help of a command: a flag begins a line, and what follows may go on in the next ones. */
const flagsOf = (help: string): readonly (readonly string[])[] => {
  const [, list = ''] = help.split('\nOptions:\n')
  const entries = (list.split('\n\n')[0] ?? '').replaceAll(/\n {4,}/g, ' ').split('\n')
  return entries.flatMap((entry) => {
    const [, flag, rest = ''] = /^ {2}(--\S+(?: <\S+>)?) +(.*)$/.exec(entry) ?? []
    if (flag === undefined || flag === '--help') return []
    const variable = /env: (\w+)\)$/.exec(rest)?.[1]
    const fallback = /default: (.+?)(?:, env: \w+)?\)$/.exec(rest)?.[1]
    const choices = /\(choices: (.+?)(?:, default: .*)?\)$/.exec(rest)?.[1]
    const meaning = rest.replace(/ \((?:choices|default|env): .*$/, '')
    return [
      [
        `\`${flag}\``,
        variable === undefined ? '' : `\`${variable}\``,
        fallback === undefined || fallback === 'none' ? 'none' : `\`${fallback.replaceAll('"', '')}\``,
        `${meaning}${choices === undefined ? '' : `; one of ${choices.replaceAll('"', '`')}`}`,
      ],
    ]
  })
}
