import { basename, relative } from 'node:path'
import type { Begun } from './begin.ts'

type Beginning = { readonly url: string; readonly store: string; readonly file: string; readonly begun: Begun }

/** What a first start has done, and what to try next. */
export const hintsOf = ({ url, store, file, begun }: Beginning): readonly string[] => {
  const { credentials, genesisHash } = begun
  const countersign = commandName()
  return [
    '',
    `Began an organization in ${withoutPassword(store)}: ${credentials.organizationId}`,
    `Its log begins with ${genesisHash} (an auditor can pin that).`,
    `The root user's credentials are in ${file}, which only you can read. Keep it secret.`,
    '',
    'Try next, in another terminal:',
    `  a health check      curl ${url}/healthz`,
    `  a stamped request   ${countersign} request whoami --credentials ${file}`,
    '  the example         npm run example:approvals   (in a clone of the repository)',
    '  the documents       docs/, beginning with docs/tutorials/first-approval.md',
    '',
  ]
}

const withoutPassword = (url: string): string => url.replace(/\/\/[^/@]*@/, '//')

const commandName = (): string => {
  const script = process.argv[1] ?? ''
  return basename(script).startsWith('countersign') ? 'countersign' : `node ${relative(process.cwd(), script)}`
}
