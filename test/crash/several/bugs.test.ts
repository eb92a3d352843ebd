import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../../postgres/on-postgres.ts'
import { BUGS_OF_SEVERAL } from '../bugs/bug.ts'
import type { Point } from '../plan.ts'
import { runSeveral } from './campaign.ts'

const it = suite('mistakes that the crash harness finds with several servers')

/** Where each mistake shows, and by what. */
const signs: Record<(typeof BUGS_OF_SEVERAL)[number], { readonly points: readonly Point[]; readonly text: RegExp }> = {
  'commit-not-awaited': {
    points: [],
    text: /not there|acknowledged (?:vote )?is in the log|a list shows what was durable|stays at/,
  },
  'reads-not-fresh': { points: [], text: /a list shows what was durable when it was asked for/ },
}

await onPostgres(it, (server) => {
  for (const bug of BUGS_OF_SEVERAL) {
    it(`finds the mistake ${bug}`, async () => {
      const { points, text } = signs[bug]
      const size = { servers: 3, clients: 20, organizations: 2, seconds: 30 }
      const { violations } = await runSeveral(server, { seed: `find ${bug}`, ...size, points, bug })
      const texts = violations.map((violation) => violation.text)
      assert.ok(
        texts.some((one) => text.test(one)),
        `found: ${texts.join('; ') || 'nothing'}`,
      )
    })
  }
})

it.run()
