import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stamper } from 'countersign/signatures'
import { startChild } from './child.ts'
import { median, ms, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import type { Load, LoadResult } from './load-program.ts'
import { startServer, type RequestOptions } from './measure-requests.ts'
import { passkeyOf } from './passkey-of.ts'
import { encode } from './seed.ts'
import type { Started } from './server-program.ts'

const CONNECTIONS = 64
const WARM_UP_MS = 2_000
const WAYS = ['key', 'passkey'] as const
const KINDS = ['submit', 'whoami'] as const
const NAMES = { submit: 'durable submits', whoami: '`whoami`', key: 'a P-256 key', passkey: 'a passkey' }

/** Submits and queries stamped by a passkey, beside the same stamped by the key that the passkey has. */
export const measurePasskeys = async (
  { rounds: count, forMs }: Pick<RequestOptions, 'rounds' | 'forMs'>,
  progress: Progress,
): Promise<Table> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const load = startChild(new URL('./load-program.ts', import.meta.url))
  const { child, started } = await startServer('engine', join(folder, 'passkeys.db'))
  try {
    await register(started)
    const { url, ...seed } = started
    let loads = 0
    const run = (kind: Load['kind'], by: 'key' | 'passkey', forMs: number): Promise<LoadResult> =>
      load.ask<LoadResult>('run', {
        urls: [url],
        seeds: [seed],
        kind,
        by,
        connections: CONNECTIONS,
        forMs,
        name: `p-${++loads}`,
      } satisfies Load)
    progress('passkeys: warming up')
    for (const by of WAYS) await run('submit', by, WARM_UP_MS)
    const rows: (string | number)[][] = []
    for (const kind of KINDS) {
      progress(`passkeys: ${NAMES[kind]}`)
      const measure = WAYS.map((by) => ({ name: by, measure: () => run(kind, by, forMs) }))
      const measured = await rounds(count, measure)
      const of = (by: (typeof WAYS)[number], pick: (result: LoadResult) => number): readonly number[] =>
        (measured.get(by) ?? []).map(pick)
      const perSecond = ({ perSecond: each }: LoadResult): number => each
      for (const by of WAYS)
        rows.push([
          NAMES[kind],
          NAMES[by],
          rate(median(of(by, perSecond))),
          ms(median(of(by, ({ p50 }) => p50))),
          ms(median(of(by, ({ p99 }) => p99))),
          of(by, ({ refused }) => refused).reduce((sum, refused) => sum + refused, 0),
          ratio(of(by, perSecond), of('key', perSecond)),
        ])
    }
    return {
      title: 'Passkeys',
      says: `${CONNECTIONS} connections. The passkey has the same P-256 key: what differs is what is read and checked around its signature.`,
      columns: ['what', 'stamped by', 'per second', 'p50 ms', 'p99 ms', 'refused', '× a key'],
      rows,
    }
  } finally {
    await Promise.all([load.close(), child.close()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Registers the passkey of the root user. */
const register = async ({ url, organizationId, key }: Started): Promise<void> => {
  const stamp = stamper(key)
  const post = async (path: string, asked: Parameters<typeof encode>[0]): Promise<{ readonly userId?: string }> => {
    const body = encode({ organizationId, ...asked })
    const answer = await fetch(`${url}/public/v1/${path}`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: { 'X-Stamp': stamp(body) },
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { readonly userId?: string } // `whoami` says it
  }
  const { userId } = await post('query/whoami', {})
  await post('submit/create_authenticators', {
    type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    timestampMs: String(Date.now()),
    parameters: { userId, authenticators: [passkeyOf(key).params] },
  })
}
