import { until } from '../../until.ts'
import { enginesFor, type BugName } from './bugs/bug.ts'
import { checkStore } from './checks/check-store.ts'
import { closeStorage } from './found.ts'
import { startHost, type HostProcess } from './host-process.ts'
import { httpClient } from './http-client.ts'
import { activityIn, isUncertain, type Sent } from './journal.ts'
import { deliver, runLoad } from './load.ts'
import { isEffectPoint, TRIES_WITH_MISTAKE, type Kill, type Round } from './plan.ts'
import type { Random } from './random.ts'
import type { StorePlace } from './store-place.ts'

export type RoundReport = {
  /** Whether the server died where it was to die. */
  readonly isReached: boolean
  readonly answers: number
  readonly resent: number
  readonly events: number
  readonly violations: readonly string[]
}

/** After so many answers a server that was to die at a point that it never came to is killed anyway. */
const ANSWERS_MAX = 3_000

/** Kills the server in the midst of its work, starts it again, and checks all that it has promised. */
export const runRound = async (
  place: StorePlace,
  planned: Round,
  bug: BugName | undefined,
  random: Random,
): Promise<RoundReport> => {
  const round: Round = bug === undefined ? planned : { ...planned, engines: enginesFor(bug) }
  const before = place.journal.answers().length
  const died = await runToDeath(place, round, bug, random)
  const host = startHost(place.hostOptions(round, bug))
  const url = await host.ready
  const answers = place.journal.answers().length - before
  if (url === undefined) {
    const { output } = await host.ended
    const violations = [...died.violations, `the server does not start again: ${lastLines(output)}`]
    return { isReached: died.isReached, answers, resent: 0, events: 0, violations }
  }
  const resent = await resend(place, [url], bug !== undefined)
  const storage = await place.openToRead()
  const checked = await checkStore(place, [url], storage, bug !== undefined)
  await closeStorage(storage)
  const stopped = await stop(host)
  return {
    isReached: died.isReached,
    answers,
    resent: resent.count,
    events: checked.events,
    violations: [...died.violations, ...resent.violations, ...checked.violations, ...stopped],
  }
}

type Death = { readonly isReached: boolean; readonly violations: readonly string[] }

const runToDeath = async (
  place: StorePlace,
  round: Round,
  bug: BugName | undefined,
  random: Random,
): Promise<Death> => {
  const { kill } = round
  const host = startHost(place.hostOptions(round, bug), { crashAt: crashAtOf(kill) })
  const stopPulling = pull(place, host, kill)
  const url = await host.ready
  let isLate = false
  const callOff = place.journal.after(kill._tag === 'after-answers' ? kill.answers : ANSWERS_MAX, () => {
    isLate = kill._tag === 'at-point'
    host.kill()
  })
  if (kill._tag === 'after-answers' && kill.answers === 0) host.kill()
  if (url !== undefined)
    await runLoad(place, { urlOf: () => url, clients: round.clients, isOver: host.hasEnded }, random)
  const { code, signal, output } = await host.ended
  callOff()
  stopPulling()
  const violations =
    signal === 'SIGKILL' ? [] : [`the server ended by itself (${signal ?? `code ${code}`}): ${lastLines(output)}`]
  return { isReached: !isLate, violations }
}

const crashAtOf = (kill: Kill): string | undefined =>
  kill._tag === 'at-point' && !isEffectPoint(kill.point) ? `${kill.point}:${kill.pass}` : undefined

/** Lets the payment service kill the server if it is to die in an effect. */
const pull = ({ payments }: StorePlace, host: HostProcess, kill: Kill): (() => void) => {
  if (kill._tag === 'after-answers') return () => undefined
  let [begun, done] = [0, 0]
  payments.watch({
    onBegun: () => void (++begun === kill.pass && kill.point === 'effect-begun' && host.kill()),
    onDone: () => void (++done === kill.pass && kill.point === 'effect-done' && host.kill()),
  })
  return () => payments.watch({ onBegun: () => undefined, onDone: () => undefined })
}

type Resent = { readonly count: number; readonly violations: readonly string[] }

/**
 * Sends again, twice, what got no answer: both times it has to meet the one activity. The servers take turns, and those of one organization
 * follow one another, so that nobody is in their way.
 */
export const resend = async (place: StorePlace, urls: readonly string[], hasMistake: boolean): Promise<Resent> => {
  const open = place.journal.takeOpen()
  const triesMax = hasMistake ? TRIES_WITH_MISTAKE : Infinity
  const violations: string[] = []
  const resendAll = async (organization: string): Promise<void> => {
    const client = httpClient(`again ${organization}`)
    const own = open.filter(({ organizationId }) => organizationId === organization)
    for (const [turn, sent] of own.flatMap((one) => [one, one]).entries()) {
      const complaint = await resendOnce(place, urls[turn % urls.length] ?? '', client, sent, triesMax)
      if (complaint !== undefined) violations.push(complaint)
    }
    client.close()
  }
  await Promise.all([...new Set(open.map(({ organizationId }) => organizationId))].map(resendAll))
  return { count: open.length, violations }
}

const resendOnce = async (
  place: StorePlace,
  url: string,
  client: ReturnType<typeof httpClient>,
  sent: Sent,
  triesMax: number,
): Promise<string | undefined> => {
  let tries = 0
  // A server may still be making its connection to the store: an answer that leaves the outcome open is asked for again.
  const answered = await until(async () => {
    if ((tries += 1) > triesMax) return 'nothing'
    const before = place.journal.calls().length
    await deliver(place, client, url, sent)
    const { answered: heard } = place.journal.calls()[before] ?? {}
    if (heard === undefined) return 'nothing'
    return isUncertain(heard) ? undefined : heard
  })
  if (answered === 'nothing') return `${sent.path}, sent again, got no answer`
  const shown = activityIn(answered)
  return shown === undefined || shown.id === sent.activityId
    ? undefined
    : `${sent.path}, sent again, met activity ${shown.id} instead of ${sent.activityId}`
}

const stop = async (host: HostProcess): Promise<readonly string[]> => {
  host.kill('SIGTERM')
  const ending = await host.ended
  return ending.code === 0
    ? []
    : [`the server stopped with ${ending.signal ?? `code ${ending.code}`}: ${lastLines(ending.output)}`]
}

export const lastLines = (output: string): string => output.trim().split('\n').slice(-16).join(' | ').slice(-1_500)
