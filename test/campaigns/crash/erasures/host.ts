/*
 * The process that the harness kills while it erases a person: engines over one SQLite store, of which each is asked for the same erasure
 * until it is done. It runs what was built. Then it prints `erased`, and waits until it is told to stop.
 */
import { erasure, publicApi, systemClock } from 'countersign'
import type { Clock } from 'countersign/define'
import { createEngine, sqliteStore, type Engine } from 'countersign/fp'
import { until } from '../../../until.ts'
import { programOptions } from '../../built-program.ts'
import { shared } from '../shared.ts'

export type ErasureHostOptions = {
  readonly path: string
  /** The request for the erasure; the same at every start. */
  readonly stamp: string
  readonly body: string
  /** How far ahead the clock is: an erasure that was interrupted is taken up again after minutes. */
  readonly aheadMs: number
  /** Several engines meet as several processes do on a store that allows them. */
  readonly engines: 1 | 3
}

const clockBy = (aheadMs: number): Clock => ({ ...systemClock(), now: () => Date.now() + aheadMs })

const main = async ({ path, stamp, body, aheadMs, engines }: ErasureHostOptions): Promise<void> => {
  const opened = await sqliteStore({ path })()
  if (opened._tag === 'Left') throw new Error(`${opened.left.code}: ${opened.left.message}`)
  const storage = opened.right
  const start = (): Promise<Engine> =>
    createEngine({
      store: shared(storage),
      clock: clockBy(aheadMs),
      resources: [...publicApi, ...erasure],
      tuning: { snapshotEvery: 1 },
    })
  const all = await Promise.all(Array.from({ length: engines }, start))
  const request = { headers: { 'x-stamp': stamp }, body: Buffer.from(body, 'base64'), address: null }
  await until(async () => {
    const answers = await Promise.all(all.map((engine) => engine.submit('erase_user', request)()))
    return answers.every((one) => one._tag === 'Right' && one.right.status === 'ACTIVITY_STATUS_COMPLETED')
  })
  const alive = setInterval(() => undefined, 60_000) // nothing else keeps the process until it is told to stop
  process.once('SIGTERM', () => {
    clearInterval(alive)
    void Promise.all(all.map((engine) => engine.close()))
      .then(() => storage.readModels.close())
      .then(() => storage.store.close())
  })
  process.stdout.write('erased\n')
}

await main(programOptions() as ErasureHostOptions) // from the harness
