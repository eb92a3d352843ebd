import type { BugName } from './bugs/bug.ts'
import { roundsOf, type Campaign, type Round } from './plan.ts'
import { randomOf } from './random.ts'
import { runRound, type RoundReport } from './round.ts'
import { storePlace, type StorePlace } from './store-place.ts'

export type CampaignOptions = {
  /** A mistake to be found; the campaign ends with the first round that finds it. */
  readonly bug?: BugName
  readonly onRound?: (round: Round, report: RoundReport, total: number) => void
}

export type Outcome = {
  readonly rounds: number
  readonly answers: number
  readonly resent: number
  readonly events: number
  readonly notReached: number
  readonly violations: readonly { readonly round: Round; readonly text: string; readonly folder: string }[]
}

/** Runs all rounds of a campaign, one after the other. A store in which something does not hold is kept. */
export const runCampaign = async (campaign: Campaign, { bug, onRound }: CampaignOptions = {}): Promise<Outcome> => {
  const random = randomOf(campaign.seed)
  const rounds = roundsOf(campaign, random.fork('plan'))
  const reports: RoundReport[] = []
  const violations: Outcome['violations'][number][] = []
  let place: StorePlace | undefined
  let isBroken = false
  for (const round of rounds) {
    const choices = random.fork(`round ${round.number}`)
    if (place !== undefined && (round.isFresh || isBroken)) {
      await place.close(isBroken && bug === undefined)
      place = undefined
    }
    place ??= await storePlace(choices)
    const report = await runRound(place, round, bug, choices)
    isBroken = report.violations.length > 0
    reports.push(report)
    for (const text of report.violations) violations.push({ round, text, folder: place.folder })
    onRound?.(round, report, rounds.length)
    if (isBroken && bug !== undefined) break
  }
  await place?.close(isBroken && bug === undefined)
  const sum = (of: (report: RoundReport) => number): number => reports.reduce((total, report) => total + of(report), 0)
  return {
    rounds: reports.length,
    answers: sum(({ answers }) => answers),
    resent: sum(({ resent }) => resent),
    events: sum(({ events }) => events),
    notReached: sum(({ isReached }) => (isReached ? 0 : 1)),
    violations,
  }
}
