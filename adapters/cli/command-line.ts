import { createRequire } from 'node:module'
import { Command, InvalidArgumentError, Option } from 'commander'
import { RULES_VERSION, rulesOf } from '../../core/policy/rules.ts'
import type { AuditOptions } from './audit.ts'
import type { ExportOptions } from './export.ts'
import type { ImportOptions } from './import.ts'
import type { InitOptions } from './init.ts'
import type { KeygenOptions } from './keygen.ts'
import type { ReplayOptions } from './replay.ts'
import type { RequestOptions } from './request.ts'
import type { ServeOptions } from './serve.ts'
import { printLines } from './print.ts'
import { unusable } from './stop.ts'

/**
 * Runs one command. Each command's own file is loaded when it runs, so that help and mistakes cost nothing.
 *
 * @returns the exit code
 */
export const commandLine = async (argv: readonly string[]): Promise<number> => {
  if (argv.length === 0) throw unusable('expected a command; countersign --help names them')
  const program = new Command('countersign')
    .description('An event-sourced activity engine: signed requests, approvals by consensus, an auditable log.')
    .version(versionOf(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printLines(text.replace(/\n$/, '').split('\n')),
      outputError: () => undefined, // `main` says it, in one line
    })
  let exitCode = 0
  const ends = (code: number): void => void (exitCode = code)
  for (const define of [serve, init, keygen, request, exportLog, importLog, replay, audit]) define(program, ends)
  await program.parseAsync(argv, { from: 'user' })
  return exitCode
}

type Define = (program: Command, ends: (exitCode: number) => void) => void

const serve: Define = (program, ends) =>
  command(
    program,
    'serve',
    'Serves the HTTP API.',
    'serve --store sqlite:data/countersign.db --init data/credentials.json',
  )
    .addOption(store().default('sqlite:data/countersign.db').env('COUNTERSIGN_STORE'))
    .addOption(new Option('--host <host>', 'the address to listen on').default('127.0.0.1').env('COUNTERSIGN_HOST'))
    .addOption(port())
    .addOption(
      new Option('--init <file>', 'begin an organization where there is none, and keep its credentials here').env(
        'COUNTERSIGN_INIT',
      ),
    )
    .addOption(organizationName().env('COUNTERSIGN_ORGANIZATION_NAME'))
    .addOption(
      new Option(
        '--activity-timestamps <form>',
        'how queries write the times of activities, to clients that do not say',
      )
        .choices(['string', 'object'])
        .default('string')
        .env('COUNTERSIGN_ACTIVITY_TIMESTAMPS'),
    )
    .addOption(
      new Option('--trusted-proxy <address>', 'a proxy whose X-Forwarded-For is believed; may be repeated')
        .argParser(listed)
        .default([], 'none')
        .env('COUNTERSIGN_TRUSTED_PROXY'),
    )
    .addOption(
      new Option('--log-level <level>', 'the least important that is logged, on standard error')
        .choices(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
        .default('info')
        .env('COUNTERSIGN_LOG_LEVEL'),
    )
    .addOption(
      new Option('--metrics', 'answer GET /metrics, in the text format of Prometheus')
        .default(false)
        .env('COUNTERSIGN_METRICS'),
    )
    .addOption(
      new Option('--fresh-queries', 'refuse a query without a timestampMs that is less than an hour old')
        .default(false)
        .env('COUNTERSIGN_FRESH_QUERIES'),
    )
    .action(async (options: ServeOptions, given: Command) => {
      const metrics = options.metrics && !isDenied(given, 'metrics', 'COUNTERSIGN_METRICS')
      const freshQueries = options.freshQueries && !isDenied(given, 'freshQueries', 'COUNTERSIGN_FRESH_QUERIES')
      ends(await (await import('./serve.ts')).serve({ ...options, metrics, freshQueries }))
    })

const init: Define = (program, ends) =>
  command(
    program,
    'init',
    'Begins an organization where the store has none, and writes the credentials of its root user.',
    'init --store sqlite:data/countersign.db --out data/credentials.json',
  )
    .addOption(store().makeOptionMandatory())
    .requiredOption('--out <file>', 'where to write the credentials')
    .option('--force', 'replace a file at that place which is for something else')
    .addOption(organizationName())
    .action(async (options: InitOptions) => ends(await (await import('./init.ts')).init(options)))

const keygen: Define = (program, ends) =>
  command(
    program,
    'keygen',
    'Makes an API key pair.',
    'keygen --credentials data/credentials.json --out data/grace.json',
  )
    .addOption(
      new Option('--curve <curve>', 'the curve of the key').choices(['p256', 'secp256k1', 'ed25519']).default('p256'),
    )
    .option('--credentials <file>', 'take organization and server over from this file')
    .option('--out <file>', 'write a file that only its owner can read, instead of printing')
    .option('--force', 'replace a file that is there')
    .action(async (options: KeygenOptions) => ends(await (await import('./keygen.ts')).keygen(options)))

const request: Define = (program, ends) =>
  command(
    program,
    'request',
    'Stamps a request, sends it, and prints the answer. Fills in type, timestampMs and organizationId where they are missing.',
    `request create_user_tag '{"userTagName":"treasury","userIds":[]}' --credentials data/credentials.json`,
  )
    .argument('<path>', 'an operation or query, such as whoami or /public/v1/submit/create_users')
    .argument('[json]', 'the body, or for an operation its parameters alone; - reads standard input', '{}')
    .requiredOption('--credentials <file>', 'whose key stamps it')
    .option('--url <url>', 'the server, if not the one in the credentials file')
    .action(async (path: string, json: string, options: RequestOptions) =>
      ends(await (await import('./request.ts')).request(path, json, options)),
    )

const exportLog: Define = (program, ends) =>
  command(
    program,
    'export',
    'Writes the whole log as text, also while a server runs.',
    'export --store sqlite:data/countersign.db --out log.jsonl',
  )
    .addOption(store().makeOptionMandatory())
    .option('--out <file>', 'write a file, which is there whole or not at all, instead of printing')
    .option('--force', 'replace a file that is there')
    .action(async (options: ExportOptions) => ends(await (await import('./export.ts')).exportLog(options)))

const importLog: Define = (program, ends) =>
  command(program, 'import', 'Reads an exported log into an empty store.', 'import --store sqlite:copy.db log.jsonl')
    .argument('<file>', 'the exported log')
    .addOption(store().makeOptionMandatory())
    .action(async (file: string, options: ImportOptions) =>
      ends(await (await import('./import.ts')).importLog(file, options)),
    )

const replay: Define = (program, ends) =>
  command(
    program,
    'replay',
    'Folds the log up to a moment and prints the state: of an activity, of an organization, or what the store holds.',
    'replay --store sqlite:data/countersign.db --at 2026-11-21T09:30:00Z',
  )
    .addOption(store().makeOptionMandatory())
    .addOption(new Option('--activity <id>', 'one activity').conflicts('organization'))
    .option('--organization <id>', 'one organization')
    .option('--at <moment>', 'a position (digits alone) or a date (RFC 3339); the end of the log if left out')
    .addOption(operations())
    .action(async (options: ReplayOptions) => ends(await (await import('./replay.ts')).replay(options)))

const audit: Define = (program, ends) =>
  command(
    program,
    'audit',
    'Checks a log: its chains, every stamp, every decision. Exit code 0 when all holds, 1 with a line for each finding.',
    'audit log.jsonl --pin ORGANIZATION=HASH',
  )
    .argument('[file]', 'an exported log')
    .addOption(store())
    .option('--json', 'print the report as JSON')
    .addOption(operations())
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
    .addOption(
      new Option(
        '--erased-max <number>',
        'how many parts may have been erased; each beyond them is a finding; any number if not given',
      ).argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--limits <file>',
        'JSON of the limits that were in force, such as {"users":500}, or a list of them with dates; ' +
          'each decision under others is a finding; the default limits if not given',
      ),
    )
    .addOption(
      new Option(
        '--rules-min <version>',
        `the oldest version of the rules, 1 to ${RULES_VERSION}, that decisions may have been taken by; ` +
          'each by an older one is a finding; 1 if not given',
      ).argParser(rulesVersion),
    )
    .action(async (file: string | undefined, options: AuditOptions) =>
      ends(await (await import('./audit.ts')).audit(file, options)),
    )

const command = (program: Command, name: string, summary: string, example: string): Command =>
  program
    .command(name)
    .description(summary)
    .allowExcessArguments(false)
    .addHelpText('after', `\nExample:\n  $ countersign ${example}`)

const store = (): Option => new Option('--store <url>', 'memory: or sqlite:PATH')

const organizationName = (): Option =>
  new Option('--organization-name <name>', 'the name of an organization that is begun').default('Default')

const operations = (): Option =>
  new Option('--operations <module>', 'a module that exports the operations of the host, where the log has any')

const port = (): Option =>
  new Option('--port <number>', 'the port to listen on; 0 picks a free one')
    .default(8080)
    .env('COUNTERSIGN_PORT')
    .argParser((text: string) => {
      if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Expected 0 to 65535.')
      return Number(text)
    })

const wholeNumber = (text: string): number => {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

const rulesVersion = (text: string): number => {
  const version = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
  if (rulesOf(version) === undefined) throw new InvalidArgumentError(`Expected 1 to ${RULES_VERSION}.`)
  return version
}

/** To commander, a flag is given when its variable is there at all, whatever it says. */
const isDenied = (given: Command, flag: string, variable: string): boolean =>
  given.getOptionValueSource(flag) === 'env' && /^(?:|0|false|no|off)$/i.test(process.env[variable] ?? '')

const listed = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...text.split(',').filter((one) => one !== ''),
]

const versionOf = (): string => {
  const manifest = createRequire(import.meta.url)('countersign/package.json') as { readonly version: string } // our own
  return manifest.version
}
