/* The flags of the commands around a server. */
import { Option, type Command } from 'commander'
import { command, type Define } from './define-command.ts'
import {
  adoptReadModelsFlag,
  checkDefaultCredentials,
  credentialsFlag,
  hostFlag,
  isDenied,
  keystoreFlag,
  lacksDefaultCredentials,
  listed,
  logFlag,
  logLevelFlag,
  metricsFlag,
  organizationNameFlag,
  portFlag,
  readModelsFlag,
  resourcesFlag,
  storeFlag,
  trustedProxyFlag,
  wholeNumber,
} from './flags.ts'
import type { DoctorOptions } from './doctor.ts'
import type { InitOptions } from './init.ts'
import type { KeygenOptions } from './keygen.ts'
import type { RequestOptions } from './request.ts'
import type { ServeOptions } from './serve.ts'

export const serve: Define = (program, ends) =>
  command(program, 'serve', 'Serves the HTTP API.', 'serve --store sqlite:data/countersign.db --init')
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(adoptReadModelsFlag())
    .addOption(hostFlag('the address to listen on'))
    .addOption(portFlag('the port to listen on; 0 picks a free one'))
    .addOption(
      new Option('--init', 'begin an organization where there is none; its key goes to the file of --credentials')
        .default(false)
        .env('COUNTERSIGN_INIT'),
    )
    .addOption(credentialsFlag('the file for the key of an organization that is begun'))
    .addOption(organizationNameFlag())
    .addOption(keystoreFlag('what opens the keys of wallets and private keys, which are in the store'))
    .addOption(
      resourcesFlag(
        'a module that exports the resources of the host, and with the name ports the services that they need; ' +
          'TypeScript on Node 24, JavaScript on any',
      ),
    )
    .addOption(
      new Option(
        '--activity-timestamps <form>',
        'how queries write the times of activities, to clients that do not say',
      )
        .choices(['string', 'object'])
        .default('string')
        .env('COUNTERSIGN_ACTIVITY_TIMESTAMPS'),
    )
    .addOption(trustedProxyFlag())
    .addOption(logLevelFlag())
    .addOption(logFlag())
    .addOption(metricsFlag())
    .addOption(
      new Option('--console', 'serve the console at /console: a page that shows what waits, and approves it')
        .default(false)
        .env('COUNTERSIGN_CONSOLE'),
    )
    .addOption(
      new Option('--fresh-queries', 'refuse a query without a timestampMs that is less than an hour old')
        .default(false)
        .env('COUNTERSIGN_FRESH_QUERIES'),
    )
    .addOption(
      new Option(
        '--clock-lag-max <seconds>',
        'how far the clock may be behind the log of an organization before its commands are refused',
      )
        .argParser(wholeNumber)
        .default(300)
        .env('COUNTERSIGN_CLOCK_LAG_MAX'),
    )
    .addOption(
      new Option('--erasure', 'offer the operation that erases the personal data of deleted users')
        .default(false)
        .env('COUNTERSIGN_ERASURE'),
    )
    .addOption(
      new Option('--no-webhooks', 'tell endpoints nothing; another server on the store may').env(
        'COUNTERSIGN_NO_WEBHOOKS',
      ),
    )
    .addOption(
      new Option(
        '--allow-private-network',
        'ask and tell others by http, at any port and in private networks; for development',
      )
        .default(false)
        .env('COUNTERSIGN_ALLOW_PRIVATE_NETWORK'),
    )
    .addOption(
      new Option('--webhook-operations', 'offer the operations that send webhooks again and test endpoints')
        .default(false)
        .env('COUNTERSIGN_WEBHOOK_OPERATIONS'),
    )
    .addOption(
      new Option(
        '--qos-version <version>',
        'a version of QuorumOS that deployments may name; may be repeated, the latest last',
      )
        .argParser(listed)
        .default([], 'any')
        .env('COUNTERSIGN_QOS_VERSION'),
    )
    .addOption(
      new Option(
        '--mail <url>',
        'what sends mails: smtp://USER:PASSWORD@HOST, smtps://…, @FILE with such a URL, or console: to print them',
      ).env('COUNTERSIGN_MAIL'),
    )
    .addOption(new Option('--mail-from <address>', 'the address that mails are from').env('COUNTERSIGN_MAIL_FROM'))
    .addOption(
      new Option(
        '--mail-from-domain <domain>',
        'the domain whose addresses requests may name as sender, and for answers',
      ).env('COUNTERSIGN_MAIL_FROM_DOMAIN'),
    )
    .addOption(
      new Option('--mail-templates <folder>', 'the templates that requests may name: ID.html and ID.txt').env(
        'COUNTERSIGN_MAIL_TEMPLATES',
      ),
    )
    .addOption(
      new Option(
        '--sms <url>',
        'what sends short messages: twilio+https://ACCOUNT:TOKEN@api.twilio.com/?From=NUMBER, @FILE, or console:',
      ).env('COUNTERSIGN_SMS'),
    )
    .addOption(
      new Option(
        '--sandbox-contacts',
        'send nothing to user@example.com and +19999999999, whose codes of six digits are all zeros; for trials',
      )
        .default(false)
        .env('COUNTERSIGN_SANDBOX_CONTACTS'),
    )
    .addOption(
      new Option('--oidc-issuer <url>', 'an issuer of identity tokens, and no others are taken; may be repeated')
        .argParser(listed)
        .default([], 'any')
        .env('COUNTERSIGN_OIDC_ISSUER'),
    )
    .addOption(
      new Option(
        '--public-url <url>',
        'the URL at which the world finds the server: for the credentials file, and the issuer of its identity tokens; ' +
          'without it, it issues none',
      ).env('COUNTERSIGN_PUBLIC_URL'),
    )
    .addOption(
      new Option('--oauth2-x-url <url>', 'where X is asked who has signed in there, or none')
        .default('https://api.x.com')
        .env('COUNTERSIGN_OAUTH2_X_URL'),
    )
    .addOption(
      new Option('--oauth2-discord-url <url>', 'where Discord is asked who has signed in there, or none')
        .default('https://discord.com')
        .env('COUNTERSIGN_OAUTH2_DISCORD_URL'),
    )
    .addOption(
      new Option(
        '--auth-proxy <file>',
        'the public keys of the auth proxy that organizations may let in, which proxy init has written',
      ).env('COUNTERSIGN_AUTH_PROXY'),
    )
    .action(async (options: ServeOptions, given: Command) => {
      const init = options.init && !isDenied(given, 'init', 'COUNTERSIGN_INIT')
      const metrics = options.metrics && !isDenied(given, 'metrics', 'COUNTERSIGN_METRICS')
      const hasConsole = options.console && !isDenied(given, 'console', 'COUNTERSIGN_CONSOLE')
      const freshQueries = options.freshQueries && !isDenied(given, 'freshQueries', 'COUNTERSIGN_FRESH_QUERIES')
      const erasure = options.erasure && !isDenied(given, 'erasure', 'COUNTERSIGN_ERASURE')
      const allowPrivateNetwork =
        options.allowPrivateNetwork && !isDenied(given, 'allowPrivateNetwork', 'COUNTERSIGN_ALLOW_PRIVATE_NETWORK')
      const webhookOperations =
        options.webhookOperations && !isDenied(given, 'webhookOperations', 'COUNTERSIGN_WEBHOOK_OPERATIONS')
      const webhooks = options.webhooks || isDenied(given, 'webhooks', 'COUNTERSIGN_NO_WEBHOOKS')
      const sandboxContacts =
        options.sandboxContacts && !isDenied(given, 'sandboxContacts', 'COUNTERSIGN_SANDBOX_CONTACTS')
      const flags = {
        init,
        sandboxContacts,
        webhooks,
        metrics,
        console: hasConsole,
        freshQueries,
        erasure,
        allowPrivateNetwork,
        webhookOperations,
      }
      ends(await (await import('./serve.ts')).serve({ ...options, ...flags }))
    })

export const init: Define = (program, ends) =>
  command(
    program,
    'init',
    'Begins an organization where the store has none, and writes the credentials of its root user.',
    'init --store sqlite:data/countersign.db --credentials data/credentials.json',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(adoptReadModelsFlag())
    .addOption(credentialsFlag('the file for the credentials'))
    .option('--force', 'replace a file there which is for something else')
    .addOption(organizationNameFlag())
    .action(async (options: InitOptions) => ends(await (await import('./init.ts')).init(options)))

export const keygen: Define = (program, ends) =>
  command(
    program,
    'keygen',
    'Makes an API key pair.',
    'keygen --credentials data/credentials.json --out data/grace.json',
  )
    .addOption(
      new Option('--curve <curve>', 'the curve of the key').choices(['p256', 'secp256k1', 'ed25519']).default('p256'),
    )
    .addOption(credentialsFlag('take organization and server over from this file, if it is there'))
    .option('--out <file>', 'write a file that only its owner can read, instead of printing')
    .option('--force', 'replace a file that is there')
    .action(async ({ credentials, ...options }: KeygenOptions, given: Command) => {
      const place = lacksDefaultCredentials(given) || credentials === undefined ? {} : { credentials }
      ends(await (await import('./keygen.ts')).keygen({ ...options, ...place }))
    })

export const newProject: Define = (program, ends) =>
  command(program, 'new', 'Writes a small project: an operation, its test, and a server that has it.', 'new expenses')
    .argument('<folder>', 'where to write it: a folder that is empty or not there; its name is that of the package')
    .action(async (folder: string) => ends(await (await import('./new-project.ts')).newProject(folder)))

export const request: Define = (program, ends) =>
  command(
    program,
    'request',
    'Stamps a request, sends it, and prints the answer. Fills in type, timestampMs and organizationId where they are missing.',
    `request create_user_tag '{"userTagName":"treasury","userIds":[]}' --credentials data/credentials.json`,
  )
    .argument('<path>', 'an operation or query, such as whoami or /public/v1/submit/create_users')
    .argument('[json]', 'the body, or for an operation its parameters alone; - reads standard input', '{}')
    .addOption(credentialsFlag('whose key stamps it'))
    .option('--url <url>', 'the server, if not the one in the credentials file')
    .action(async (path: string, json: string, options: RequestOptions, given: Command) => {
      checkDefaultCredentials(given)
      ends(await (await import('./request.ts')).request(path, json, options))
    })

export const doctor: Define = (program, ends) =>
  command(
    program,
    'doctor',
    'Examines this machine and the store. With --full, tries the promises of the store in a scratch one beside it, which it removes. ' +
      'Exit code 1 if something is wrong.',
    'doctor --store sqlite:data/countersign.db --credentials data/credentials.json',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(credentialsFlag('whose file is checked'))
    .addOption(hostFlag('the address that serve listens on'))
    .addOption(portFlag('the port that serve listens on'))
    .option('--full', 'try the promises of the store in a scratch one, and go through the log on EventStoreDB')
    .option('--repair', 'on EventStoreDB: mend links to events, and remove parts that no event names')
    .option(
      '--ddl',
      'print only the SQL by which an administrator makes the store, or gives rights on it, to this user',
    )
    .option('--json', 'print the results as JSON')
    .action(async (options: DoctorOptions, given: Command) => {
      const flags = ['credentials', 'port'] as const
      const byDefault = flags.filter((name) => given.getOptionValueSource(name) === 'default')
      ends(await (await import('./doctor.ts')).doctor({ ...options, byDefault }))
    })
