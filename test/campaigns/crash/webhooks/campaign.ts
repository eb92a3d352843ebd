import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '../../../../adapters/store-sqlite/open.ts'
import { stamp } from '../../../../adapters/signatures/signer.ts'
import { toldStatus } from '../../../../core/webhooks/telling.ts'
import { until } from '../../../until.ts'
import { closeStorage, readFound, right } from '../found.ts'
import type { Random } from '../random.ts'
import { receiver, type Heard } from './receiver.ts'

export type Campaign = { readonly kills: number; readonly submits: number }

const PATHS = ['/one', '/two', '/three']
const AT_ONCE = 4
const BIN = fileURLToPath(new URL('../../../../dist/bin/countersign.js', import.meta.url))

/** A server that was started, and how it is killed. */
type Server = { readonly url: string; readonly kill: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void> }

const start = async (folder: string): Promise<Server> => {
  const flags = [
    '--store',
    `sqlite:${join(folder, 'store.db')}`,
    '--init',
    '--credentials',
    join(folder, 'credentials.json'),
    '--port',
    '0',
  ]
  const child = spawn(process.execPath, [BIN, 'serve', ...flags, '--allow-private-network', '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /^listening on (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return {
    url,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await ended
    },
  }
}

/** Submits until the server answers; gives the id of the activity. */
const submitting = (folder: string, urlOf: () => string) => {
  const {
    organizationId,
    apiPublicKey: publicKey,
    apiPrivateKey: privateKey,
  } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as { readonly [name: string]: string } // the server has written it
  const key = { publicKey: publicKey ?? '', privateKey: privateKey ?? '', curve: 'API_KEY_CURVE_P256' } as const
  return async (path: string, parameters: object): Promise<{ readonly id: string; readonly result: object }> => {
    const type = `ACTIVITY_TYPE_${path.toUpperCase()}`
    const body = JSON.stringify({ type, timestampMs: String(Date.now()), organizationId, parameters })
    const headers = { 'X-Stamp': stamp(key, Buffer.from(body)), 'Content-Type': 'application/json' }
    return until(async () => {
      try {
        const answer = await fetch(`${urlOf()}/public/v1/submit/${path}`, { method: 'POST', headers, body })
        if (!answer.ok) return undefined
        const { activity } = (await answer.json()) as { activity: { id: string; result: object } } // of our server
        return activity
      } catch {
        return undefined // it was killed
      }
    })
  }
}

/**
 * Kills a server again and again while it tells three endpoints what happens, and checks that each has heard all of it, and each event with the same
 * bytes. Gives the broken promises.
 */
export const runWebhooks = async (
  { kills, submits }: Campaign,
  random: Random,
  tell: (text: string) => void,
): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'))
  let server = await start(folder)
  let [killed, next] = [0, 0]
  let killing: Promise<void> | undefined
  const restarted = async (): Promise<void> => {
    await server.kill()
    server = await start(folder)
    killing = undefined
  }
  const pause = (): number => 1 + random.below(Math.max(1, Math.floor((2 * PATHS.length * submits) / (kills + 1))))
  const to = await receiver((deliveries) => {
    if (killed === kills || killing !== undefined || deliveries < next) return
    next = deliveries + pause()
    killed += 1
    killing = restarted()
  })
  next = Infinity
  const submit = submitting(folder, () => server.url)
  for (const path of PATHS) {
    const subscriptions = [{ eventType: 'ACTIVITY_UPDATES' }]
    await submit('create_webhook_endpoint', { url: to.urlOf(path), name: path, subscriptions })
  }
  next = pause()
  let n = 0
  const work = async (): Promise<void> => {
    while (n < submits) await submit('update_organization_name', { organizationName: `name ${(n += 1)}` })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const storage = right(await openSqliteStore({ path: join(folder, 'store.db'), readOnly: true })())
  const { events } = await readFound(storage)
  await closeStorage(storage)
  const told = events.filter((event) => toldStatus(event) !== undefined)
  const expected = PATHS.map((_, index) =>
    told.slice(told.length - submits - (PATHS.length - index)).map(({ id }) => id),
  )
  await until(async () => isComplete(to.heard, expected))
  await killing
  await server.kill('SIGTERM')
  const doubles = [...to.heard.values()].flatMap((one) => [...one.values()]).filter(({ times }) => times > 1)
  const changed = doubles.filter(({ bodies }) => bodies.size > 1)
  const unknown = PATHS.flatMap((path, n) =>
    [...(to.heard.get(path) ?? new Map<string, unknown>()).keys()].filter((id) => !expected[n]?.includes(id)),
  )
  await to.close()
  tell(
    `${killed} kills; ${expected.flat().length} deliveries expected, all came; ${doubles.length} came more than once`,
  )
  const violations = [
    ...(changed.length === 0 ? [] : [`${changed.length} events came with other bytes`]),
    ...unknown.map((id) => `an endpoint was told of ${id}, which the log has not for it`),
  ]
  if (violations.length === 0) rmSync(folder, { recursive: true, force: true })
  else tell(`kept for a closer look: ${folder}`)
  return violations
}

const isComplete = (heard: Heard, expected: readonly (readonly string[])[]): true | undefined =>
  expected.every((ids, n) => ids.every((id) => heard.get(PATHS[n] ?? '')?.has(id) === true)) ? true : undefined
