import type { HandledRequest } from '../http/options.ts'

/** How many requests were answered, for a Prometheus that reads it. */
export type RequestCounts = {
  readonly count: (request: Pick<HandledRequest, 'path' | 'status'>) => void
  /** The page for `GET /metrics`. */
  readonly text: () => string
}

/** @param paths  all others, which callers choose, are counted together */
export const requestCounts = (paths: readonly string[]): RequestCounts => {
  const known = new Set(paths)
  const counts = new Map<string, number>()
  return {
    count: ({ path, status }) => {
      const labels = `path="${path !== null && known.has(path) ? path : 'other'}",status="${status}"`
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
    },
    text: () =>
      [
        `# HELP ${NAME} Answered requests by path and status.`,
        `# TYPE ${NAME} counter`,
        ...[...counts].map(([labels, value]) => `${NAME}{${labels}} ${value}`),
        '',
      ].join('\n'),
  }
}

const NAME = 'countersign_auth_proxy_requests_total'
