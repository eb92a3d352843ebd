import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sampled } from '../../long.ts'
import { BUGS } from './bugs/bug.ts'
import { runCampaign } from './campaign.ts'
import type { Point } from './plan.ts'

const it = suite('mistakes that the crash harness finds')

const lost =
  /was (?:acknowledged as \w+|denied), and is not there|with votes that are not there|was listed, and was never made/

/** A projection that is told of a commit which is not there yet finds nothing, and waits for the next one. */
const lostOrBehind = new RegExp(`${lost.source}|stays at`)

/** Where each mistake shows, and by what. */
const signs: Record<(typeof BUGS)[number], { readonly points: readonly Point[]; readonly text: RegExp }> = {
  'answer-before-commit': { points: ['before-append'], text: lostOrBehind },
  // Effects begin before their start is durable: if that is lost, so is their count, and an organization below may rest on nothing.
  'answer-from-pending-state': {
    points: ['before-append', 'within-group'],
    text: new RegExp(`${lost.source}|was asked for \\d+ times in|before its activity was started`),
  },
  'no-fsync': { points: ['before-append'], text: lost },
  'half-group': { points: ['before-append', 'after-append'], text: /stays PENDING|STATUS_IMPOSSIBLE/ },
  'checkpoint-ahead': { points: ['within-move', 'before-append'], text: /are not those of a rebuild/ },
  'conflict-not-decided-anew': { points: ['before-append'], text: /(?:BASIS|DECISION|EXECUTION)_DIFFERS/ },
}

const register = sampled<(typeof BUGS)[number]>(it, 'answer-before-commit')
for (const bug of BUGS) {
  register(bug, `finds the mistake ${bug}`, async () => {
    const { points, text } = signs[bug]
    const { violations } = await runCampaign({ seed: `find ${bug}`, rounds: 8, perPoint: 8, points }, { bug })
    const texts = violations.map((violation) => violation.text)
    assert.ok(
      texts.some((one) => text.test(one)),
      `found: ${texts.join('; ') || 'nothing'}`,
    )
  })
}

it.run()
