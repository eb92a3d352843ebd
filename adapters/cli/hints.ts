import type { Begun } from '../credentials/begin.ts'
import { commandName } from './command-name.ts'
import { shownStore } from './shown-store.ts'
import { bold, dim, styled, type Line } from './style.ts'

type Beginning = {
  readonly url: string
  /** The URL of the console, if it is served. */
  readonly page: string | undefined
  readonly store: string
  readonly file: string
  /** The flags with which a command speaks to this server as the user of the file. */
  readonly flags: string
  readonly begun: Begun
}

/** The lines that say what a first start has done, and what to try next. */
export const hintsOf = ({ url, page, store, file, flags, begun }: Beginning): readonly string[] => {
  const { credentials, genesisHash } = begun
  const countersign = commandName()
  return [
    '',
    `Began an organization in ${shownStore(store)}: ${credentials.organizationId}`,
    `Its log begins with ${genesisHash} (an auditor can pin that).`,
    `The root user's credentials are in ${file}, which only you can read. Keep it secret.`,
    '',
    'Try next, in another terminal:',
    ...(page === undefined ? [] : [`  the console         ${page}   (in a browser, with that file)`]),
    `  a health check      curl ${url}/healthz`,
    `  the public keys     curl ${url}/public/v1/discovery/keys`,
    `  a stamped request   ${countersign} request whoami${flags}`,
    '  the example         npm run example:approvals   (in a clone of the repository)',
    '  the documents       docs/, beginning with docs/tutorials/first-approval.md',
    '',
  ]
}

export type Started = {
  readonly version: string
  readonly url: string
  /** The URL of the console, if it is served. */
  readonly page: string | undefined
  readonly store: string
  /** The first organization of the store, if it has any. */
  readonly organizationId: string | undefined
  /** The credentials file, and the flags with which a command speaks as its user, if the server was started with `--init`. */
  readonly file: string | undefined
  readonly flags: string
  readonly begun: Begun | undefined
}

/**
 * The box that a start shows on a terminal. It has no right side, so that text of any width, in a terminal of any width, does not break
 * it.
 */
export const boxOf = ({ version, url, page, store, organizationId, file, flags, begun }: Started): readonly Line[] => {
  const row = (name: string, ...line: Line): Line => [dim('│ '), dim(name.padEnd(14)), ...line]
  const empty: Line = [dim('│')]
  return [
    [dim('╭─ '), bold(`Countersign ${version}`)],
    empty,
    row('URL', styled('cyan')(url)),
    ...(page === undefined ? [] : [row('Console', styled('cyan')(page))]),
    row('Store', shownStore(store)),
    row(
      'Organization',
      ...(organizationId === undefined ? [NOBODY] : [organizationId, ...(begun?.isNew ? [NEW] : [])]),
    ),
    ...(begun?.isNew === true ? [row('Its hash', begun.genesisHash), row('', dim('an auditor can pin it'))] : []),
    ...(organizationId === undefined ? [] : [row('Key', ...keyOf(file))]),
    empty,
    row('Try', `curl ${url}/healthz`),
    row('', `curl ${url}/public/v1/discovery/keys`),
    ...(file === undefined
      ? []
      : [row('', `${commandName()} request whoami${flags}`), row('', `${commandName()} inbox${flags}`)]),
    row('Read', 'docs/tutorials/first-approval.md'),
    row('Stop', 'Ctrl-C'),
    [dim('╰─')],
  ]
}

const NEW = dim(' (new)')
const NOBODY = styled('yellow')('none: begin one with --init')

const keyOf = (file: string | undefined): Line =>
  file === undefined ? [dim('in the file that --init has written')] : [file, dim(' (only you can read it)')]
