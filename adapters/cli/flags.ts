/* The flags that several commands have, so that each has the same variable, default and check everywhere. */
import { existsSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { commandName } from './command-name.ts'
import { isEventStoreDb } from './shown-store.ts'
import { unusable } from './stop.ts'

/** What `npm start` makes. */
const DEFAULT_STORE = 'sqlite:data/countersign.db'
const DEFAULT_CREDENTIALS = 'data/credentials.json'

/** The store. Without a default: `import` must not make a store that nobody has named. */
export const storeWithoutDefault = (): Option =>
  new Option(
    '--store <url>',
    'memory:, sqlite:PATH, postgres://HOST/DATABASE or esdb://HOST; a URL with a password belongs into the variable',
  ).env(STORE)
export const storeFlag = (): Option => storeWithoutDefault().default(DEFAULT_STORE)
const STORE = 'COUNTERSIGN_STORE'

export const readModelsFlag = (meaning = 'where a store on EventStoreDB keeps its read models'): Option =>
  new Option('--read-models <url>', `${meaning}: sqlite:PATH or postgres://HOST/DATABASE`).env(
    'COUNTERSIGN_READ_MODELS',
  )

export const adoptReadModelsFlag = (): Option =>
  new Option('--adopt-read-models', 'take read models that belong to another log, or to none, for those of this one')

/** Whoever names a place for read models believes that they go there. A variable may be meant for another command. */
export const checkReadModels = (given: Command): void => {
  const { store } = given.opts<{ readonly store?: string }>()
  if (given.getOptionValueSource('readModels') === 'cli' && store !== undefined && !isEventStoreDb(store))
    throw unusable('--read-models is for a store on EventStoreDB: other stores have their read models beside the log')
}

export const credentialsFlag = (meaning: string): Option =>
  new Option('--credentials <file>', meaning).default(DEFAULT_CREDENTIALS).env(CREDENTIALS)
const CREDENTIALS = 'COUNTERSIGN_CREDENTIALS'

/** Whether the credentials file is the default one, and is not there. */
export const lacksDefaultCredentials = (given: Command): boolean =>
  given.getOptionValueSource('credentials') === 'default' && !existsSync(DEFAULT_CREDENTIALS)

export const organizationNameFlag = (): Option =>
  new Option('--organization-name <name>', 'the name of an organization that is begun')
    .default('Default')
    .env('COUNTERSIGN_ORGANIZATION_NAME')

export const resourcesFlag = (meaning: string): Option =>
  new Option('--resources <module>', meaning).env('COUNTERSIGN_RESOURCES')

export const keystoreFlag = (meaning: string): Option =>
  new Option(
    '--keystore <place>',
    `${meaning}: file:PATH or env:NAME; with an SQLite store, PATH.keystore beside it`,
  ).env('COUNTERSIGN_KEYSTORE')

export const hostFlag = (meaning: string): Option =>
  new Option('--host <host>', meaning).default('127.0.0.1').env('COUNTERSIGN_HOST')

export const portFlag = (meaning: string): Option =>
  new Option('--port <number>', meaning)
    .default(8080)
    .env('COUNTERSIGN_PORT')
    .argParser((text: string) => {
      if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Expected 0 to 65535.')
      return Number(text)
    })

export const trustedProxyFlag = (): Option =>
  new Option('--trusted-proxy <address>', 'a proxy whose X-Forwarded-For is believed; may be repeated')
    .argParser(listed)
    .default([], 'none')
    .env('COUNTERSIGN_TRUSTED_PROXY')

export const logLevelFlag = (): Option =>
  new Option('--log-level <level>', 'the least important that is logged, on standard error')
    .choices(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .env('COUNTERSIGN_LOG_LEVEL')

export const logFlag = (): Option =>
  new Option('--log <form>', 'the form of the log; auto: readable on a terminal, otherwise a line of JSON per record')
    .choices(['auto', 'json', 'pretty'])
    .default('auto')
    .env('COUNTERSIGN_LOG')

export const metricsFlag = (): Option =>
  new Option('--metrics', 'answer GET /metrics, in the text format of Prometheus')
    .default(false)
    .env('COUNTERSIGN_METRICS')

/** For commands that only read: if nobody has named a store, and the default is not there, the line says what to do. */
export const checkDefaultStore = (given: Command): void => {
  if (given.getOptionValueSource('store') === 'default' && !hasDefaultStore())
    throw unusable(`there is no store ${pathOf(DEFAULT_STORE)}, which is the default: ${nameOne('--store', STORE)}`)
}

export const checkDefaultCredentials = (given: Command): void => {
  if (lacksDefaultCredentials(given))
    throw unusable(
      `there is no file ${DEFAULT_CREDENTIALS}, which is the default: ${nameOne('--credentials', CREDENTIALS)}`,
    )
}

/**
 * The store of a command that can also read something else, such as a file: the one of the flag; without something else also the one of
 * the variable, or the default. A variable does not contradict the other.
 *
 * @param expected  what the command needs, for the message that it has nothing
 */
export const storeUnless = (given: Command, hasOther: boolean, store: string, expected: string): string | undefined => {
  const source = given.getOptionValueSource('store')
  if (source === 'cli') return store
  if (hasOther) return undefined
  if (source === 'default' && !hasDefaultStore())
    throw unusable(`expected ${expected}; the default, ${pathOf(DEFAULT_STORE)}, is not there`)
  return store
}

const nameOne = (flag: string, variable: string): string =>
  `name another with ${flag} or ${variable}, or begin with ${commandName()} serve --init`

const hasDefaultStore = (): boolean => existsSync(pathOf(DEFAULT_STORE))

const pathOf = (url: string): string => url.replace(/^sqlite:/, '')

export const wholeNumber = (text: string): number => {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

/** Whether a variable switches a flag off. For commander, a flag is given if its variable exists, with any value. */
export const isDenied = (given: Command, flag: string, variable: string): boolean =>
  given.getOptionValueSource(flag) === 'env' && /^(?:|0|false|no|off)$/i.test(process.env[variable] ?? '')

export const listed = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...text.split(',').filter((one) => one !== ''),
]
