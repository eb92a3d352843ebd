import type { Exchange } from './exchange.ts'
import type { Reply } from './reply.ts'

/** Whether the caller is a browser that shows a page: other clients do not name HTML. */
export const wantsPage = (exchange: Pick<Exchange, 'header'>): boolean =>
  /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(exchange.header('accept') ?? '')

/** Where the page of the console is, if it is served. */
export const CONSOLE = '/console'

/** What is not served everywhere. */
export type Served = { readonly hasMetrics: boolean; readonly hasConsole: boolean }

/** What a browser shows at the root: a page without scripts, which loads nothing, and repeats nothing of the request. */
export const frontPage = (basePath: string, served: Served): Reply => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  },
  body: pageAt(basePath.replaceAll('&', '&amp;'), served), // of what HTML reads, a path can have nothing else
  closes: false,
})

const pageAt = (basePath: string, served: Served): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Countersign</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
td { padding: .2rem 1.5rem .2rem 0; vertical-align: top }
</style>
<h1>Countersign</h1>
<p>This is the server of an activity engine. Every change is requested as an activity, which the caller's key signs. Policies and
a root quorum say whose approval it needs, and everybody can audit the log of it.</p>
<h2>Routes</h2>
<table>
${routesAt(basePath, served).map(rowOf).join('\n')}
</table>
<p>Submits and queries are signed, ${served.hasConsole ? SIGNING : UNSIGNED}. Say who you are, in the folder of the server:</p>
<pre>node dist/bin/countersign.js request whoami</pre>
<h2>Documents</h2>
<p>They are in the repository and in the package:</p>
<table>
${DOCUMENTS.map(([file, about]) => `<tr><td><code>${file}</code><td>${about}`).join('\n')}
</table>
`

const SIGNING = 'which the console does in a browser, with your key'
const UNSIGNED = 'so a browser alone cannot send them'

/** Those without a method can be opened in a browser. */
type Listed = readonly [path: string, about: string, method?: string]

const routesAt = (basePath: string, { hasMetrics, hasConsole }: Served): readonly Listed[] => [
  [`${basePath}/public/v1/submit/OPERATION`, 'requests an activity, or votes on one', 'POST'],
  [`${basePath}/public/v1/query/QUERY`, 'asks for something', 'POST'],
  [`${basePath}/openapi.json`, 'all operations and queries, with their parameters and results'],
  [`${basePath}/public/v1/discovery/keys`, 'the public keys of this server'],
  [`${basePath}/public/v1/discovery/webhooks/jwks`, 'the keys that sign webhooks'],
  [`${basePath}/healthz`, 'whether the server runs'],
  [`${basePath}/readyz`, 'whether it can answer'],
  ...(hasConsole
    ? [[`${basePath}${CONSOLE}`, 'the console: what waits for approval, and who asked for it'] as const]
    : []),
  ...(hasMetrics ? [[`${basePath}/metrics`, 'its numbers, in the text format of Prometheus'] as const] : []),
]

const rowOf = ([path, about, method]: Listed): string =>
  `<tr><td>${method === undefined ? `GET <a href="${path}">${path}</a>` : `${method} <code>${path}</code>`}<td>${about}`

const DOCUMENTS: readonly (readonly [file: string, about: string])[] = [
  ['docs/tutorials/first-approval.md', 'from a clone to an approved activity'],
  ['docs/reference/operations.md', 'each operation, with an example'],
  ['docs/reference/queries.md', 'each query'],
  ['docs/reference/failures.md', 'what a refusal means'],
  ['docs/README.md', 'all others'],
]
