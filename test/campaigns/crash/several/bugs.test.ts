import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startServerProcess } from '../../../adapters/store-eventstoredb/emulator/server-process.ts'
import { onPostgres } from '../../../adapters/store-postgres/server/on-postgres.ts'
import { BUGS_OF_SEVERAL, BUGS_ON_EVENTSTOREDB } from '../bugs/bug.ts'
import { sampled } from '../../../long.ts'
import type { Point } from '../plan.ts'
import { runSeveral } from './campaign.ts'
import { onEventStoreDb } from './eventstoredb-place.ts'
import type { Ground } from './ground.ts'
import { onPostgresServer } from './postgres-place.ts'

const it = suite('mistakes that the crash harness finds with several servers')

type Sign = { readonly points: readonly Point[]; readonly text: RegExp }

const LOST =
  /not there|acknowledged (?:vote )?is in the log|a list shows what was durable|stays at|what no engine writes/
const STALE = /a list shows what was durable when it was asked for/

/** Where each mistake shows, and by what. */
const onDatabase: Record<(typeof BUGS_OF_SEVERAL)[number], Sign> = {
  'commit-not-awaited': { points: [], text: LOST },
  'reads-not-fresh': { points: [], text: STALE },
}
const onLog: Record<(typeof BUGS_ON_EVENTSTOREDB)[number], Sign> = {
  'append-not-awaited': { points: [], text: LOST },
  'part-not-awaited': {
    points: [],
    text: /names the part \S+, which was never written|stays PENDING|was paid, and is|is not the fold/,
  },
  'reads-not-fresh': { points: [], text: STALE },
}

const find = async (ground: Ground, bug: (typeof ground.bugs)[number], { points, text }: Sign): Promise<void> => {
  const size = { servers: 3, clients: 20, organizations: 2, rounds: 10, answers: 500 }
  const { violations } = await runSeveral(ground, { seed: `find ${bug}`, ...size, points, bug })
  const texts = violations.map((violation) => violation.text)
  assert.ok(
    texts.some((one) => text.test(one)),
    `found: ${texts.join('; ') || 'nothing'}`,
  )
}

await onPostgres(it, (server) => {
  const register = sampled<string>(it, 'reads-not-fresh')
  for (const bug of BUGS_OF_SEVERAL)
    register(bug, `finds the mistake ${bug}`, () => find(onPostgresServer(server), bug, onDatabase[bug]))

  for (const bug of BUGS_ON_EVENTSTOREDB)
    register(`${bug} of a log`, `finds the mistake ${bug} of a log on EventStoreDB`, async () => {
      const log = await startServerProcess()
      try {
        await find(onEventStoreDb(log, server), bug, onLog[bug])
      } finally {
        await log.end()
      }
    })
})

it.run()
