import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { CountersignError } from '../../core/countersign-error.ts'
import { failure } from '../../core/failure.ts'
import { originOf } from '../../core/organization/origins.ts'
import { CONSOLE } from '../http/front-page.ts'
import type { StaticFile } from '../http/options.ts'

export type ConsoleOptions = {
  /**
   * Origins of servers that the page may ask beside its own, such as `https://api.example.com`: for a page that is served from a place of your
   * own, and opened with `?server=https://api.example.com`. Default none.
   */
  readonly servers?: readonly string[]
}

/**
 * The console: a page at `/console`, and what it loads from `/console/`. It is what the option `files` of a server or handler takes, and any
 * other server of files can serve it, with these headers.
 *
 * @throws RangeError if one of `servers` is no origin; CountersignError with the code `CONFIGURATION_INVALID` if the page was not built
 * @example httpServer(engine, { files: consoleFiles() })
 */
export const consoleFiles = ({ servers = [] }: ConsoleOptions = {}): readonly StaticFile[] => {
  const always = { ...SAFE, 'Content-Security-Policy': policyFor(servers.map(serverOf)) }
  const folder = builtFolder()
  const built = JSON.parse(readFileSync(new URL(LIST, folder), 'utf8')) as Built // the build has written it
  const file = (name: string, path: string, headers: StaticFile['headers']): StaticFile => ({
    path,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    headers: { ...always, ...headers },
    bytes: readFileSync(new URL(name, folder)),
  })
  return [
    file(built.page, CONSOLE, { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cache-Control': 'no-store' }),
    ...built.files.map((name) => file(name, `${CONSOLE}/${name}`, { 'Cache-Control': FOR_EVER })),
  ]
}

const SAFE = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }
const FOR_EVER = 'public, max-age=31536000, immutable' // a file with other bytes has another name

/** The scripts have it, too, because a worker follows the policy of its own script. */
const policyFor = (servers: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "worker-src 'self'",
    ["connect-src 'self'", ...servers].join(' '),
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const serverOf = (text: string): string => {
  const origin = originOf(text)
  if (origin === undefined)
    throw new RangeError(`servers: expected an origin such as https://api.example.com, not ${JSON.stringify(text)}`)
  return origin
}

/** What the build has made, by name. */
type Built = { readonly page: string; readonly files: readonly string[] }

/** The list of what was built. It is put in its place last, so all that it names is there. */
const LIST = 'files.json'

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Where the build puts the page, as seen from `dist/bin/`, from `dist/adapters/console/`, and from the sources. */
const PLACES = ['../console/', '../../console/', '../../dist/console/']

const builtFolder = (): URL => {
  const folder = PLACES.map((place) => new URL(place, import.meta.url)).find((one) => existsSync(new URL(LIST, one)))
  if (folder === undefined) throw new CountersignError(notBuilt)
  return folder
}

const notBuilt = failure('CONFIGURATION_INVALID', 'the page of the console is not there: npm run build makes it')
