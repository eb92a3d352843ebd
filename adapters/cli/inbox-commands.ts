/* The flags of the commands that speak to a server as one of its users. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Voting } from '../inbox/inbox-calls.ts'
import { STATUSES } from '../inbox/words.ts'
import type { ActivitiesOptions, InboxOptions } from './activities.ts'
import { command, type Define } from './define-command.ts'
import { checkDefaultCredentials, credentialsFlag } from './flags.ts'
import type { ShowOptions } from './show.ts'
import type { VoteOptions } from './vote.ts'
import type { WatchOptions } from './watch.ts'

export const activities: Define = (program, ends) =>
  listing(calling(program, 'activities', 'Lists activities, newest first.', 'activities --status completed', ''))
    .addOption(statusFlag())
    .action(async (options: ActivitiesOptions, given: Command) => {
      checkDefaultCredentials(given)
      ends(await (await import('./activities.ts')).activities(options))
    })

export const inbox: Define = (program, ends) =>
  listing(calling(program, 'inbox', 'Lists what waits for your approval, newest first.', 'inbox', '')).action(
    async (options: InboxOptions, given: Command) => {
      checkDefaultCredentials(given)
      ends(await (await import('./activities.ts')).inbox(options))
    },
  )

export const show: Define = (program, ends) =>
  calling(
    program,
    'show',
    'Shows an activity: who asked for what, who voted, what is missing, and who could give it.',
    'show last',
    '<id|last>',
  ).action(async (id: string, options: ShowOptions, given: Command) => {
    checkDefaultCredentials(given)
    ends(await (await import('./show.ts')).show(id, options))
  })

const voting =
  (name: Voting, summary: string): Define =>
  (program, ends) =>
    calling(program, name, summary, `${name} 5b2b9e06-9f0b-8f3f-8c9b-0a5b6a1f2c3d`, '<id|fingerprint|last>').action(
      async (what: string, options: VoteOptions, given: Command) => {
        checkDefaultCredentials(given)
        ends(await (await import('./vote.ts')).vote(name, what, options))
      },
    )

export const approve = voting('approve', 'Approves an activity that waits.')
export const reject = voting('reject', 'Rejects an activity that waits.')

export const watch: Define = (program, ends) =>
  calling(program, 'watch', 'Prints activities as they come and change, until Ctrl-C.', 'watch --waiting-for-me', '')
    .addOption(new Option('--waiting-for-me', 'only what waits for your approval').conflicts('status'))
    .addOption(statusFlag())
    .addOption(
      new Option('--every-seconds <number>', 'how often it asks')
        .default(2)
        .argParser((text) => numberIn(text, 1, 86_400)),
    )
    .action(async (options: WatchOptions, given: Command) => {
      checkDefaultCredentials(given)
      ends(await (await import('./watch.ts')).watch(options))
    })

export const calling = (
  program: Command,
  name: string,
  summary: string,
  example: string,
  argument: string,
): Command => {
  const added = command(program, name, summary, `${example} --credentials data/credentials.json`)
  if (argument !== '') added.argument(argument)
  return added
    .addOption(credentialsFlag('as whom to ask'))
    .option('--url <url>', 'the server, if not the one in the credentials file')
    .option('--json', 'print JSON, for programs')
}

const listing = (to: Command): Command =>
  to
    .addOption(
      new Option('--limit <number>', 'how many at most').default(20).argParser((text) => numberIn(text, 1, 10_000)),
    )
    .addOption(new Option('--quiet', 'print only ids, one in a line').conflicts('json'))

const statusFlag = (): Option =>
  new Option(
    '--status <status>',
    `only activities of this status: ${Object.keys(STATUSES).join(', ')}; may be repeated`,
  )
    .default([], 'all')
    .argParser((text: string, before: readonly string[]) => {
      if (!Object.hasOwn(STATUSES, text))
        throw new InvalidArgumentError(`Expected one of ${Object.keys(STATUSES).join(', ')}.`)
      return [...before, text]
    })

const numberIn = (text: string, least: number, most: number): number => {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most)) throw new InvalidArgumentError(`Expected ${least} to ${most}.`)
  return number
}
